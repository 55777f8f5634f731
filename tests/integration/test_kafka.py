"""The Kafka source and sink against a real broker: the orders example, killed and restarted, compared with the
generator's answer; transactions; what goes wrong and how it is told.

usage: test_kafka.py <01_customer_orders> <generate_orders> <kafka_records> <test_unit_kafka> [unittest arguments]

Exit code 77, with the reason, where no broker can be had.
"""

import csv
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "kafka"))
import broker as kafka  # noqa: E402

EXAMPLE, GENERATE, RECORDS, UNIT = (os.path.abspath(path) for path in sys.argv[1:5])
COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare_orders.py")
PASSWORD = "open-sesame-4711"
BROKER = None  # shared by all tests, each of which has topics of its own


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

    def produce(self, first, end, partitions, *transaction):
        """Gives where each line is: (partition, offset) by its number."""
        done = subprocess.run([RECORDS, "produce", BROKER.address, self.topic, self.events, str(first), str(end),
                               str(partitions), *transaction], capture_output=True, text=True, check=True)
        return {int(line): (f"{self.topic}/{partition}", int(offset))
                for line, partition, offset in map(str.split, done.stdout.splitlines())}

    def profile(self, source=None, windows=None, rows=2000, instead=None, **more):
        """The source is the topic and the sinks are tables, unless something else is said."""
        options = {"connector": "kafka", "bootstrap_servers": BROKER.address, "topics": self.topic,
                   "discover_interval_ms": 0}
        options.update(source or {})
        assets = {"order_events": instead or options}
        for table in ("customer_order_windows", "rejected_order_events", "late_order_events"):
            assets[table] = {"connector": "sqlite", "path": str(self.folder / "orders.db"), "table": table}
        if windows:
            assets["customer_order_windows"] = windows
        settings = {"name": "kafka", "assets": assets, "checkpoint": {"path": str(self.folder / "checkpoint")},
                    "limits": {"max_rows_per_trigger": rows}}
        settings.update(more)
        path = self.folder / "profile.yaml"
        path.write_text(json.dumps(settings))  # which is YAML too
        return path

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


class Orders(Topics):
    def test_killed_restarted_grown_and_with_a_broker_that_goes_away(self):
        rows, half = 200000, 100000
        self.generate("--rows", rows, "--batch-rows", 5000, "--invalid", "0.02")
        BROKER.create_topic(self.topic, 6)
        places = self.produce(0, half, 6)
        settings = self.profile(retry={"attempts": 100, "backoff": "200ms", "longest_backoff": "1s"},
                                source={"timeout_ms": 5000})
        self.kill_again_and_again(settings, 6)
        read = self.finish(settings)["rows_read"]
        self.assertGreater(read, 0, "the kills left nothing")
        BROKER.topics("--alter", "--topic", self.topic, "--partitions", "7")
        places.update(self.produce(half, rows, 7))
        self.kill_again_and_again(settings, 4)
        query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(query.kill)
        query.stdout.readline()
        BROKER.stop()
        BROKER.start()
        batches = 0
        while batches < 10:  # more than were on their way: the same process goes on when the broker is back
            record = json.loads(query.stdout.readline())
            batches += record["event"] == "batch"
            if record["event"] == "failure":
                self.assertEqual(record["class"], "connectivity")
        query.kill()
        query.communicate(timeout=60)
        self.finish(settings)
        self.assertEqual(len(places), rows)
        self.assert_same_as_answer(places)


class Reading(Topics):
    def test_only_what_transactions_have_committed(self):
        self.generate("--rows", 1000, "--batch-rows", 100, "--late", 0, "--invalid", 0)
        BROKER.create_topic(self.topic, 1)
        self.produce(0, 300, 1, "commit")
        self.produce(300, 500, 1, "abort")
        self.produce(500, 600, 1, "commit")
        settings = self.profile(rows=100000)
        self.assertEqual(self.finish(settings)["rows_read"], 400)
        # KS-01: nothing is left behind the last marker.
        self.assertEqual(self.finish(settings)["rows_read"], 0)
        # KS-04: an open transaction is neither read nor waited for.
        self.produce(600, 1000, 1, "leave")
        began = time.monotonic()
        self.assertEqual(self.finish(settings)["rows_read"], 0)
        self.assertLess(time.monotonic() - began, 10)

    def test_a_time_to_begin_at_and_the_group_that_shows_how_far(self):
        self.generate("--rows", 100, "--batch-rows", 10, "--late", 0, "--invalid", 0)
        BROKER.create_topic(self.topic, 1)
        self.produce(0, 40, 1)
        time.sleep(1.1)  # records have the time at which they were written
        between = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        time.sleep(1.1)
        self.produce(40, 100, 1)
        settings = self.profile(source={"start": between, "group_id": "shown"})
        self.assertEqual(self.finish(settings)["rows_read"], 60)

    def test_records_that_are_gone(self):
        self.generate("--rows", 100, "--batch-rows", 10, "--late", 0, "--invalid", 0)
        BROKER.create_topic(self.topic, 1)
        self.produce(0, 50, 1)
        settings = self.profile()
        self.finish(settings)
        self.produce(50, 100, 1)
        subprocess.run([RECORDS, "forget", BROKER.address, self.topic, "0", "70"], check=True)
        refused = run("run", "--once", "--profile", settings)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("PMSTREAM428", refused.stderr)
        self.assertIn("up to 20 records expired", refused.stderr)
        lenient = self.profile(source={"on_data_loss": "continue"})
        summary = self.finish(lenient)
        self.assertEqual(summary["rows_read"], 30)
        self.assertIn("up to 20 records expired", str(summary["warnings"]))

    def test_a_topic_that_is_created_anew(self):
        self.generate("--rows", 100, "--batch-rows", 10, "--late", 0, "--invalid", 0)
        BROKER.create_topic(self.topic, 1)
        self.produce(0, 50, 1)
        settings = self.profile(source={"timeout_ms": 10000})
        self.finish(settings)
        BROKER.topics("--delete", "--topic", self.topic)
        gone = run("run", "--once", "--profile", settings)
        self.assertIn("PMSTREAM427", gone.stderr)
        BROKER.create_topic(self.topic, 1)
        self.produce(0, 3, 1)
        refused = run("run", "--once", "--profile", settings)
        self.assertIn("PMSTREAM428", refused.stderr)
        self.assertIn("ends at offset 3, but had been read up to 50", refused.stderr)


class Refused(Topics):
    def test_a_wrong_password_is_told_and_not_shown(self):
        BROKER.create_topic(self.topic, 1)
        for password, expected in (("wrong-password-1", "PMSTREAM426"), (PASSWORD, None)):
            settings = self.profile(source={
                "bootstrap_servers": f"127.0.0.1:{BROKER.login_port}", "timeout_ms": 8000,
                "librdkafka": {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN",
                               "sasl.username": "reader", "sasl.password": "env:KAFKA_TEST_PASSWORD"}})
            done = run("run", "--once", "--profile", settings, env={**os.environ, "KAFKA_TEST_PASSWORD": password})
            everything = done.stdout + done.stderr
            everything += run("plan", "--profile", settings, env={**os.environ, "KAFKA_TEST_PASSWORD": password}).stdout
            self.assertNotIn(password, everything)
            if expected:
                self.assertEqual(done.returncode, 8, everything)
                self.assertIn(expected, done.stderr)
            else:
                self.assertEqual(done.returncode, 0, everything)

    def test_a_topic_that_is_not_there(self):
        done = run("run", "--once", "--profile", self.profile(source={"timeout_ms": 5000}))
        self.assertIn("PMSTREAM427", done.stderr)
        self.assertIn(f"the cluster has no topic `{self.topic}`", done.stderr)

    def test_no_broker(self):
        done = run("run", "--once", "--profile",
                   self.profile(source={"timeout_ms": 1500, "bootstrap_servers": f"127.0.0.1:{kafka.free_port()}"}))
        self.assertIn("PMSTREAM425", done.stderr)


class Publishing(Topics):
    def test_the_older_of_two_processes_is_refused(self):
        BROKER.create_topic("fenced", 1)
        done = subprocess.run([UNIT, "[real_broker]"], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "ETLANTIC_TEST_KAFKA": BROKER.address})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 test case", done.stdout)

    def test_each_result_once_under_kills(self):
        self.generate("--rows", 60000, "--batch-rows", 3000)
        BROKER.create_topic(self.topic, 1)
        settings = self.profile(
            instead={"connector": "file", "path": str(self.events)}, rows=1000,
            windows={"connector": "kafka", "bootstrap_servers": BROKER.address, "topic": self.topic})
        self.kill_again_and_again(settings, 10)
        self.finish(settings)
        read = subprocess.run([RECORDS, "read", BROKER.address, self.topic, "0"], capture_output=True, text=True,
                              check=True)
        lines = read.stdout.splitlines()
        self.assertEqual(len(set(lines)), len(lines), "a change of a result is there twice")
        newest = {}  # in update mode the last record of a key is its result
        for row in (json.loads(line.split("\t", 1)[1]) for line in lines):
            newest[row["customer_id"], row["window_start"]] = (row["paid_order_count"], row["paid_order_total"])
        with open(self.folder / "answer" / "windows.csv", encoding="utf-8") as answer:
            expected = {(int(row["customer_id"]), row["window_start"]):
                        (int(row["paid_order_count"]), row["paid_order_total"]) for row in csv.DictReader(answer)}
        self.assertEqual({key: (count, f"{total:.2f}") for key, (count, total) in newest.items()}, expected)


def main():
    global BROKER
    try:
        BROKER = kafka.Broker(tempfile.mkdtemp(prefix="etlantic-kafka-"), password=PASSWORD)
    except kafka.NotAvailable as reason:
        print(f"skipped: {reason}")
        return 77
    try:
        tests = unittest.main(argv=[sys.argv[0], *sys.argv[5:]], exit=False, verbosity=2)
        return 0 if tests.result.wasSuccessful() else 1
    finally:
        BROKER.close()


if __name__ == "__main__":
    sys.exit(main())
