"""What tests of Kafka share: the programs, the one broker, and a topic for each test."""

import csv
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import broker as kafka

EXAMPLE, GENERATE, RECORDS, UNIT = (os.path.abspath(path) for path in sys.argv[1:5])
COMPARE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "compare_orders.py")
PASSWORD = "open-sesame-4711"
BROKER = None  # shared by all tests, each of which has topics of its own


def start_broker():
    global BROKER
    BROKER = kafka.Broker(tempfile.mkdtemp(prefix="etlantic-kafka-"), password=PASSWORD)
    return BROKER


def run(*arguments, **options):
    return subprocess.run([EXAMPLE, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def records(text, event):
    return [record for record in map(json.loads, text.splitlines()) if record["event"] == event]


class Topics(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(temporary.name)
        self.addCleanup(temporary.cleanup)
        self.topic = self.id().rsplit(".", 1)[1]

    def generate(self, *options):
        self.events = self.folder / "order_events.ndjson"
        subprocess.run([GENERATE, "--output", self.events, "--answer", self.folder / "answer", *map(str, options)],
                       check=True)

    def administer(self, what, *words):
        done = subprocess.run([RECORDS, what, BROKER.address, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def create_topic(self, partitions=1, *settings):
        self.administer("create", self.topic, partitions, *settings)

    def produce(self, first, end, partitions, *transaction):
        """Gives where each line is: (partition, offset) by its number."""
        done = subprocess.run([RECORDS, "produce", BROKER.address, self.topic, self.events, str(first), str(end),
                               str(partitions), *transaction], capture_output=True, text=True, check=True)
        return {int(line): (f"{self.topic}/{partition}", int(offset))
                for line, partition, offset in map(str.split, done.stdout.splitlines())}

    def profile(self, source=None, windows=None, rows=2000, instead=None, rejected=None, **more):
        """The source is the topic and the sinks are tables, unless something else is said."""
        options = {"connector": "kafka", "bootstrap_servers": BROKER.address, "topics": self.topic,
                   "discover_interval_ms": 0}
        options.update(source or {})
        options = {name: value for name, value in options.items() if value is not None}
        assets = {"order_events": instead or options}
        for table in ("customer_order_windows", "rejected_order_events", "late_order_events"):
            assets[table] = {"connector": "sqlite", "path": str(self.folder / "orders.db"), "table": table}
        if rejected:
            assets["rejected_order_events"] = rejected
        if windows:
            assets["customer_order_windows"] = windows
        settings = {"name": "kafka", "assets": assets, "checkpoint": {"path": str(self.folder / "checkpoint")},
                    "limits": {"max_rows_per_trigger": rows}}
        settings.update(more)
        path = self.folder / "profile.yaml"
        path.write_text(json.dumps(settings))  # which is YAML too
        return path

    def dead(self):
        return {"connector": "kafka", "bootstrap_servers": BROKER.address, "topic": self.topic + "-dead",
                "format": "dead_letter"}

    def letters(self, settings):
        listed = run("quarantine", "list", "--profile", settings, "--json", "--limit", "100000")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        return [json.loads(line) for line in listed.stdout.splitlines()]

    def expected_letters(self, places):
        """What the answer calls invalid, by the places of the lines in the topic."""
        starts = [0]
        for line in self.events.read_bytes().splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        number_of = {start: number for number, start in enumerate(starts)}
        with open(self.folder / "answer" / "invalid.csv", encoding="utf-8") as answer:
            return sorted((*places[number_of[int(row["offset"])]], row["reason"], row["field"])
                          for row in csv.DictReader(answer))

    def assert_letters(self, letters, places):
        self.assertEqual(sorted((row["split"], row["position"], row["reason"], row["field"]) for row in letters),
                         self.expected_letters(places))

    def kill_again_and_again(self, settings, kills):
        for number in range(kills):
            query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"],
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            for _ in range(1 + number % 3):
                query.stdout.readline()
            query.kill()  # wherever it is now
            query.communicate(timeout=60)

    def finish(self, settings):
        done = run("run", "--once", "--profile", settings)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        return records(done.stdout, "summary")[0]

    def assert_same_as_answer(self, places):
        """Positions in tables are offsets of partitions; the answer has them in the file."""
        starts, at = [], 0
        with open(self.events, "rb") as lines:
            for line in lines:
                starts.append(at)
                at += len(line)
        line_of = {place: number for number, place in places.items()}
        database = self.folder / "compared.db"
        shutil.copy(self.folder / "orders.db", database)
        with sqlite3.connect(database) as tables:
            for table in ("late_order_events", "rejected_order_events"):
                rows = tables.execute(f"SELECT rowid, split, position FROM {table}").fetchall()
                tables.executemany(f"UPDATE {table} SET position = ? WHERE rowid = ?",
                                   [(starts[line_of[split, position]], rowid) for rowid, split, position in rows])
        compared = subprocess.run([sys.executable, COMPARE, database, self.folder / "answer", "--input", self.events],
                                  capture_output=True, text=True)
        self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)


def run_tests():
    """Those of the script that was started, against the one broker: the status of the process."""
    try:
        broker = start_broker()
    except kafka.NotAvailable as reason:
        print(f"skipped: {reason}")
        return 77
    try:
        tests = unittest.main(argv=[sys.argv[0], *sys.argv[5:]], exit=False, verbosity=2)
        return 0 if tests.result.wasSuccessful() else 1
    finally:
        broker.close()
