"""Lets the peers of a workload take turns and compares what they give."""

import ctypes
import dataclasses
import json
import math
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

import machine

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "integration" / "kafka"))
import broker  # noqa: E402

libc = ctypes.CDLL(None)

# Of the clock of another process, as Linux numbers them: what all its threads used.
PROCESS_TIME = 2

# What a run may go without. Programs of the build have to be there.
ENGINES = ("duckdb", "polars", "deltalake", "pyspark", "flink")


class Skipped(Exception):
    """Why a workload cannot be measured here; a sentence."""


class Failed(Exception):
    """A peer that cannot do its work."""


@dataclasses.dataclass
class Places:
    programs: pathlib.Path  # where the built programs lie
    engines: dict  # how to start those that are set up: name -> command
    folder: pathlib.Path  # for generated lines and for what runs write
    cluster: object = None  # a Kafka broker, once a workload has wanted one

    def brokers(self, machine=broker.QUICK_START):
        """The address of a broker that is there as long as the measurements last; `machine` are options for Java."""
        if self.cluster is None:
            try:
                self.cluster = broker.Broker(self.folder / "kafka", password="nobody logs in", machine=machine)
            except broker.NotAvailable as reason:
                raise Skipped(str(reason)) from reason
        return self.cluster.address

    def close(self):
        if self.cluster is not None:
            self.cluster.close()

    def takes_part(self, peer):
        if peer.program == "delta":  # only where there is Arrow
            return (self.programs / peer.program).exists()
        return peer.program not in ENGINES or peer.program in self.engines

    def command(self, peer):
        return self.engines.get(peer.program) or [str(self.programs / peer.program)]


@dataclasses.dataclass
class Measurement:
    seconds: list
    result: dict

    @property
    def best(self):
        return min(self.seconds)

    @property
    def median(self):
        return statistics.median(self.seconds)


@dataclasses.dataclass
class Outcome:
    """Of one workload: a measurement for each peer, and what was wrong."""

    workload: object
    rows: int
    bytes: int
    peers: dict
    problems: list


def settle(cores):
    """In a new process: stay on these cores, and end with the one that started it; a stopped one would outlive it."""
    os.sched_setaffinity(0, cores)
    end_with_parent = 1  # PR_SET_PDEATHSIG
    libc.prctl(end_with_parent, signal.SIGKILL)


class Process:
    """A peer as a process of its own, on as many cores as it has threads. It is stopped while it is not its turn,
    because engines have threads that tidy up when nothing is asked of them."""

    def __init__(self, peer, workload, rows, given, places):
        """`given` are the options that name the input."""
        self.name = peer.name
        command = [*places.command(peer), *peer.arguments, *workload.options, "--rows", str(rows), *given]
        if peer.writes:
            command += ["--folder", str(places.folder / peer.name)]
        if peer.threads > 1:
            command += ["--threads", str(peer.threads)]
        cores = sorted(os.sched_getaffinity(0))[-max(peer.threads, peer.cores):]
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                preexec_fn=lambda: settle(cores),
            )
        except OSError as problem:
            raise Failed(f"{peer.name}: {problem}") from problem

    def answer(self):
        line = self.process.stdout.readline()
        self.process.send_signal(signal.SIGSTOP)
        answer = json.loads(line) if line.startswith("{") else {"error": "it ended"}
        if "error" in answer:
            raise Failed(f"{self.name}: {answer['error']}")
        return answer

    def ask(self, command):
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer says that it ended
        return self.answer()

    def turn(self, by_processor):
        """Seconds of one turn: as the peer took them itself, or what the process used of processors meanwhile."""
        clock = (~self.process.pid << 3) | PROCESS_TIME
        before = time.clock_gettime(clock)
        elapsed = self.ask("run")["seconds"]
        return time.clock_gettime(clock) - before if by_processor else elapsed

    def stop(self):
        """Lets it end by itself, unless it is busy."""
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.close()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait()


def rows_of(workload, settings):
    """More than the last level of cache holds, unless the caller wants another number."""
    if settings.rows:
        return settings.quick and workload.quick_rows or settings.rows
    return workload.rows or max(1_000_000, int(1.05 * machine.last_level_cache() / workload.bytes_per_row))


def make_input(workload, rows, places):
    """A file or folder that all peers read; None where rows come from a formula."""
    if workload.log:
        path = places.folder / "log"
        subprocess.run([str(places.programs / "delta"), *workload.log[:1], str(path), *workload.log[1:], "--rows", str(rows)],
                       check=True)
        return path
    if not workload.lines:
        return None
    path = places.folder / "lines.ndjson"
    command = [str(places.programs / "generate"), "--data", workload.lines, "--rows", str(rows)]
    subprocess.run([*command, *workload.options, "--output", str(path)], check=True)
    return path


def make_topic(workload, rows, places):
    """The options that name it."""
    named = ["--brokers", places.brokers(), "--topic", workload.name]
    subprocess.run([str(places.programs / "kafka_loop"), "--fill", *named, "--partitions", str(workload.partitions),
                    *workload.options, "--rows", str(rows)], check=True)
    return named


def is_same(one, other):
    """Whole numbers are equal; sums of floating point depend on their order."""
    if one.get("reals") or other.get("reals"):
        pairs = list(zip(one["reals"], other["reals"]))
        if len(one["reals"]) != len(other["reals"]) or not all(math.isclose(*pair, rel_tol=1e-9) for pair in pairs):
            return False
    ignored = ("reals", "state_groups", "state_bytes", "median_ms", "p99_ms")
    return {k: v for k, v in one.items() if k not in ignored} == {k: v for k, v in other.items() if k not in ignored}


def compare_results(workload, peers, problems):
    compared = [peer.name for peer in workload.peers if peer.compared and peer.name in peers]
    for name in compared[1:]:
        if not is_same(peers[compared[0]].result, peers[name].result):
            problems.append(
                f"{workload.name}: {name} and {compared[0]} differ: "
                f"{peers[name].result} and {peers[compared[0]].result}"
            )


def take_turns(processes, rounds, by_processor):
    """A B C A B C ...; the first round only warms up."""
    seconds = {each.name: [] for each in processes}
    for number in range(rounds + 1):
        for each in processes:
            taken = each.turn(by_processor)
            if number > 0:
                seconds[each.name].append(taken)
    return {each.name: Measurement(seconds[each.name], each.ask("result")) for each in processes}


def remove(path):
    if path is not None and path.is_dir():
        shutil.rmtree(path)
    elif path is not None and path.exists():
        path.unlink()


def measure(workload, places, settings):
    rows = rows_of(workload, settings)
    lines = make_input(workload, rows, places)
    given = ["--input", str(lines)] if lines else make_topic(workload, rows, places) if workload.partitions else []
    size = lines.stat().st_size if workload.lines else int(rows * workload.bytes_per_row)
    outcome = Outcome(workload, rows * workload.times, size, {}, [])
    processes = []
    try:
        for peer in filter(places.takes_part, workload.peers):
            processes.append(Process(peer, workload, rows, given, places))
        for each in processes:
            each.answer()  # that it is ready
        # What two threads used of processors together says nothing about how long it took.
        by_processor = settings.processor_time and all(peer.threads == 1 for peer in workload.peers)
        outcome.peers = take_turns(processes, settings.rounds, by_processor)
        compare_results(workload, outcome.peers, outcome.problems)
        for each in processes:
            each.stop()
    except Failed as failure:
        outcome.problems.append(f"{workload.name}: {failure}")
    finally:
        for each in processes:
            each.kill()  # those that were not asked to stop
        remove(lines)
        for peer in workload.peers:
            remove(places.folder / peer.name)
    return outcome
