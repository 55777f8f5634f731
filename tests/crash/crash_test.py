#!/usr/bin/env python3
"""crash_test.py PROGRAM LIBRARY [--points N] [--seed S]: strikes a pipeline at the system calls by which its files change.

PROGRAM is tests/crash/pipeline.cpp, LIBRARY tests/crash/fault_points.cpp. In each of some worlds (rows, batches, workers
and sinks are random) the pipeline runs once undisturbed, which counts its calls. Then it runs with one of them struck:
the process is killed before the call, after it or in the middle of a write, the call fails, a write is short, or the
disk is full from there on; some restarts are struck too. It is started again until it is done, and everything that it
has written must equal what the undisturbed run wrote. Delta tables must be whole for others at every moment: delta-rs
reads them as the strike left them, too.

With --sink kafka some loads write to topics of a real broker, and what is sent to it counts as well as what is written to
files. What a consumer then sees that reads committed records only must be, record by record, what it sees of the
undisturbed run. Without Java the status is 77, and the reason is printed.

Prints the worlds and what differed. The status is 0 if nothing did."""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

try:
    import deltalake
except ImportError:
    deltalake = None  # without one who reads them no output is a Delta table

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "integration" / "kafka"))
import broker as kafka  # noqa: E402

KILLS = ("kill", "done", "torn")
FAILURES = ("error", "short", "full")
# What a failed call may end a run with (docs/exit-codes.md): never a signal, and never an internal error.
EXIT_CODES = {0, 4, 5, 6, 7}
NOT_REACHABLE = 8  # only what is sent to a broker can fail like that
TABLES = ("windows", "moving", "sessions", "totals", "first_visits", "pairs", "rejected_visits", "late_visits")
# A topic cannot be replaced as complete mode would do it. In update mode every change of a result is a record.
TOPICS_IN_UPDATE_MODE = ("windows",)
TOPICS_IN_APPEND_MODE = ("moving", "sessions", "first_visits", "pairs", "rejected_visits", "late_visits")
POINTS_PER_WORLD = 200
SHOWN_PER_WORLD = 5


def moment(second):
    return f"1970-01-01T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}Z"


def input_lines(chance, rows):
    visits, purchases, clock = [], [], 0
    for number in range(rows):
        clock += chance.choice([0, 0, 1, 1, 2, 5])
        second = max(0, clock - chance.choice([0, 0, 0, 3, 9, 15, 60]))
        user = chance.choice(["ann", "bob", "cleo", "somebody with quite a long name", ""])
        line = json.dumps({"id": number, "user": user, "value": chance.randint(-9, 9), "time": moment(second)})
        kind = chance.randrange(20)
        if kind == 0:
            line = chance.choice(["{", '{"id": 1}', line.replace("T", "x"), '{"id": "one"}', ""])
        visits.append(line)
        if kind == 1:
            visits.append(line)  # a duplicate
        if number % 2 == 0:
            purchases.append(json.dumps({"id": number, "user": user, "amount": number, "time": moment(second)}))
    return visits, purchases


def without_clock(text):
    """Rejected rows say when they were seen; everything else is of 1970."""
    return re.sub(r"20\d\d-\d\d-\d\dT[0-9:.]+Z", "now", text)


def in_words(value):
    return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if hasattr(value, "strftime") else value


class Cluster:
    """A broker of our own, and the program of the tests that asks it for records."""

    def __init__(self, records):
        self.records = records
        self.broker = kafka.Broker(tempfile.mkdtemp(prefix="etlantic-kafka-"), password="nobody logs in")
        self.address, self.port = self.broker.address, self.broker.port

    def ask(self, what, *words):
        done = subprocess.run([self.records, what, self.address, *words], capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"{what} {words}: {done.stderr}")
        return done.stdout

    def committed(self, topic):
        """Key and value of the records in their order; topics here have one partition."""
        return self.ask("read", topic, "0").splitlines()

    def remove(self, topics):
        self.ask("remove", *topics)


class World:
    """Some input and a profile; runs of the program on them, each in a folder of its own."""

    def __init__(self, given, folder, number):
        self.program, self.library, self.folder = given.program, given.library, folder / f"world-{number}"
        chance = random.Random(f"{given.seed} {number}")
        self.folder.mkdir()
        self.cluster, self.number = given.cluster, number
        rows = chance.choice([40, 120, 300])
        self.rows_per_batch = max(5, rows // chance.choice([1, 3, 6, 10]))
        self.workers = chance.choice([1, 1, 2, 3])
        visits, purchases = input_lines(chance, rows)
        (self.folder / "visits.ndjson").write_text("\n".join(visits) + "\n")
        (self.folder / "purchases.ndjson").write_text("\n".join(purchases) + "\n")
        kinds = ["sqlite", "sqlite", "ndjson", "csv"] + (["delta"] if deltalake else [])
        self.sinks = {table: chance.choice(kinds) for table in TABLES}
        if given.sink == "kafka":
            self.sinks = dict.fromkeys(TABLES, "sqlite")
            for table in (*TOPICS_IN_UPDATE_MODE, chance.choice(TOPICS_IN_APPEND_MODE)):
                self.sinks[table] = "kafka"
        elif given.sink:
            self.sinks = dict.fromkeys(TABLES, given.sink)
        self.retained = chance.choice([1, 2, 10])
        # Never before the end, after nearly every batch beside the next one, and as part of every batch.
        self.interval = chance.choice(["1h", "1ms", "1us", "each_batch"])
        # With low latency a commit record is written with the next plan.
        self.trigger = "low_latency" if number % 3 == 1 else "available_now"

    def __str__(self):
        kinds = ", ".join(f"{kind} x {count}" for kind, count in sorted(collections.Counter(self.sinks.values()).items()))
        return (f"{self.rows_per_batch} rows per batch, {self.workers} workers, a snapshot every {self.interval}, "
                f"{self.trigger}, {kinds}")

    def profile(self, place):
        lines = ["assets:"]
        for source in ("visits", "purchases"):
            lines.append(f"  {source}: {{connector: file, path: {self.folder / source}.ndjson}}")
        for table, kind in self.sinks.items():
            if kind == "sqlite":
                lines.append(f"  {table}: {{connector: sqlite, path: {place}/tables.db}}")
            elif kind == "delta":
                partition = ", partition_by: value" if table in ("windows", "first_visits") else ""
                lines.append(f"  {table}: {{connector: delta, path: {place}/{table}, checkpoint_interval: 2{partition}}}")
            elif kind == "kafka":
                lines.append(f"  {table}: {{connector: kafka, bootstrap_servers: '{self.cluster.address}', "
                             f"topic: {self.topic(place, table)}, ledger_topic: ledger-{self.number}}}")
            else:
                lines.append(f"  {table}: {{connector: file, path: {place}/{table}, format: {kind}}}")
        lines += [f"checkpoint: {{path: {place}/checkpoint, interval: {self.interval}, "
                  f"retained_batches: {self.retained}}}",
                  f"limits: {{max_rows_per_trigger: {self.rows_per_batch}}}", f"workers: {self.workers}",
                  f"trigger: {self.trigger}", "on_stop: drain"]
        return "\n".join(lines) + "\n"

    def topic(self, place, table):
        """One for each run and load, so that runs do not see each other's."""
        return f"{self.number}-{place.name}-{table}"

    def place(self, name):
        place = self.folder / name
        place.mkdir()
        # Outside the folder whose calls count, as are the counts.
        (self.folder / f"{name}.yaml").write_text(self.profile(place))
        return place

    def run(self, place, at=0, kind="kill"):
        """Runs the program; its status, what it printed, how many calls there were and which was struck."""
        count = self.folder / f"{place.name}.count"
        count.unlink(missing_ok=True)
        environment = {**os.environ, "LD_PRELOAD": str(self.library), "ETLANTIC_FAULT_FOLDER": str(place),
                       "ETLANTIC_FAULT_COUNT": str(count), "ETLANTIC_FAULT_AT": str(at), "ETLANTIC_FAULT_KIND": kind}
        if self.cluster:
            environment["ETLANTIC_FAULT_PORT"] = str(self.cluster.port)
        ends = ["--for", "1ms"] if self.trigger == "low_latency" else ["--once"]  # drains what is there
        done = subprocess.run([self.program, "run", *ends, "--profile", self.folder / f"{place.name}.yaml",
                               "--progress", "none"], env=environment, capture_output=True, text=True, timeout=120)
        calls, struck = struct.unpack("QQ", count.read_bytes())
        return done.returncode, done.stderr, calls, struck

    def outputs(self, place):
        found = {}
        if (place / "tables.db").exists():
            # Closed here: a connection that is let go of takes its files away while the folder is removed.
            with contextlib.closing(sqlite3.connect(place / "tables.db")) as connection:
                for table in TABLES:
                    if self.sinks[table] == "sqlite":
                        found[table] = sorted(without_clock(repr(row)) for row in connection.execute(f"SELECT * FROM {table}"))
        for table, kind in self.sinks.items():
            if kind == "delta" and (place / table / "_delta_log").exists():
                rows = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(place / table)))
                read = rows.execute("SELECT * FROM t").read_all()
                columns = [[in_words(value) for value in column.to_pylist()] for column in read.columns]
                found[table] = sorted(without_clock(repr(row)) for row in zip(*columns))
            elif kind == "kafka":
                found[table] = [without_clock(line) for line in self.cluster.committed(self.topic(place, table))]
            elif kind in ("ndjson", "csv"):
                # Names hold the query's own identity, which differs.
                found[table] = sorted((re.sub("-[0-9a-f]{32}", "", path.name), without_clock(path.read_text()))
                                      for path in (place / table).iterdir())
        return found

    def undisturbed(self):
        """Whether every output got something in the run that the others are compared with."""
        place = self.place("undisturbed")
        status, errors, calls, _ = self.run(place)
        if status != 0:
            raise RuntimeError(f"the undisturbed run ended with {status}: {errors}")
        self.expected, self.calls = self.outputs(place), calls
        # Where nothing is written, nothing can be lost: another world tells more.
        return all(self.expected[table] for table in TABLES)

    def remove(self, place):
        topics = [self.topic(place, table) for table, kind in self.sinks.items() if kind == "kafka"]
        if topics:
            self.cluster.remove(topics)
        shutil.rmtree(place)

    def unreadable(self, place):
        """Why a Delta table cannot be read by others as it is left; None if all can."""
        for table, kind in self.sinks.items():
            if kind != "delta" or not any((place / table / "_delta_log").glob("*.json")):
                continue
            try:
                opened = deltalake.DeltaTable(str(place / table))
                noted = sum(opened.get_add_actions().column("num_records").to_pylist())
                read = deltalake.QueryBuilder().register("t", opened).execute("SELECT * FROM t").read_all().num_rows
            except Exception as problem:  # whatever it is, the table is not whole
                return f"{table} cannot be read as the strike left it: {problem}"
            if read != noted:
                return f"{table} has {read} rows as the strike left it, and its log says {noted}"
        return None

    def strike(self, name, at, kind, second_at, is_read):
        """Why the run with a strike at a call was wrong; None if it was not."""
        place = self.place(name)
        status, errors, _, struck = self.run(place, at, kind)
        if kind in KILLS and struck and status != -9:
            return f"ended with {status} where it should have been killed"
        if kind in FAILURES and status not in EXIT_CODES and not (self.cluster and status == NOT_REACHABLE):
            return f"ended with {status}: {errors}"
        if is_read and (problem := self.unreadable(place)):
            return problem
        for attempt in range(4):
            again = second_at if attempt == 0 else 0
            status, errors, _, struck_again = self.run(place, again, "torn")
            if status == 0:
                break
            if not struck_again:
                return f"the restart ended with {status}: {errors}"
        found = self.outputs(place)
        for table in TABLES:
            if found.get(table) != self.expected[table]:
                return f"{table} differs: {difference(self.expected[table], found.get(table))}"
        self.remove(place)
        return None if struck else "nothing was struck"


def difference(expected, found):
    if found is None:
        return "it is not there"
    lost = collections.Counter(expected) - collections.Counter(found)
    more = collections.Counter(found) - collections.Counter(expected)
    return f"{sum(lost.values())} are lost, {sum(more.values())} too many, such as {str(next(iter(lost or more)))[:200]}"


def points_of(world, chance, count):
    """Calls and kinds of strikes, every one once before any comes again."""
    every = [(at, kind) for at in range(1, world.calls + 1) for kind in KILLS + FAILURES]
    chance.shuffle(every)
    return every[:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=300, help="how many runs are struck")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--sink", choices=("sqlite", "ndjson", "csv", "delta", "kafka"),
                        help="all outputs go there (kafka: two of them); else each is drawn, but never kafka")
    parser.add_argument("--records", type=pathlib.Path, metavar="PROGRAM",
                        help="tests/integration/kafka/records.cpp, for --sink kafka")
    parser.add_argument("--read-every", type=int, default=1, metavar="N",
                        help="delta-rs reads the tables as one strike in N left them; default 1, each")
    given = parser.parse_args()
    if given.sink == "delta" and deltalake is None:
        parser.error("--sink delta needs the Python package deltalake: run it with the Python that tools/setup makes")
    if given.sink == "kafka" and given.records is None:
        parser.error("--sink kafka needs --records")
    given.program, given.library = given.program.resolve(), given.library.resolve()
    given.cluster = None
    if given.sink != "kafka":
        return strike_worlds(given)
    try:
        given.cluster = Cluster(given.records.resolve())
    except kafka.NotAvailable as reason:
        print(f"skipped: {reason}")
        return 77
    try:
        return strike_worlds(given)
    finally:
        given.cluster.broker.close()


def strike_worlds(given):
    memory = pathlib.Path("/dev/shm")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="etlantic-crash-", dir=memory if os.access(memory, os.W_OK) else None))
    wrong, done, unstruck, number = 0, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while done < given.points:
            world = World(given, folder, number)
            if not world.undisturbed():
                shutil.rmtree(world.folder)
                number += 1
                continue
            chance = random.Random(f"{given.seed} {number} points")
            points = points_of(world, chance, min(POINTS_PER_WORLD, given.points - done))
            strikes = {pool.submit(world.strike, f"{at}-{kind}", at, kind,
                                   chance.randint(1, world.calls) if chance.random() < 0.25 else 0,
                                   chance.randrange(given.read_every) == 0): (at, kind)
                       for at, kind in points}
            faults = 0
            for finished in concurrent.futures.as_completed(strikes):
                at, kind = strikes[finished]
                problem = finished.result()
                if problem == "nothing was struck":
                    unstruck += 1
                elif problem is not None:
                    faults += 1
                    if faults <= SHOWN_PER_WORLD:
                        print(f"world {number}, call {at} of {world.calls}, {kind}: {problem} ({world.folder / f'{at}-{kind}'})")
            print(f"world {number}: {world}: {world.calls} calls, {len(points)} points, {faults} wrong", flush=True)
            wrong, done, number = wrong + faults, done + len(points), number + 1
            if faults == 0:
                shutil.rmtree(world.folder)
    print(f"{done} points in {number} worlds, {wrong} wrong, {unstruck} not reached")
    if wrong == 0:
        shutil.rmtree(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # deltalake may abort while the interpreter ends
