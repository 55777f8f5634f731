"""Several processes that share a topic (intake: group) against a real broker: killed, stopped and started again while
partitions move and are added, they leave the answer that one process would.

usage: test_kafka_group.py <01_customer_orders> <generate_orders> <kafka_records> <test_unit_kafka> [unittest arguments]

Exit code 77, with the reason, where no broker can be had.
"""

import collections
import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "kafka"))
import topics  # noqa: E402
from topics import EXAMPLE, Topics, records, run  # noqa: E402

CUSTOMERS = 700
COLUMNS = "customer_id, window_start, window_end, paid_order_count, paid_order_total, latest_event_time"
SESSION = {"session.timeout.ms": "6000", "heartbeat.interval.ms": "500"}


class Process:
    """A pipeline that runs, with what it has told so far."""

    def __init__(self, settings):
        self.run = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.told = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.run.stdout:
            with self.changed:
                self.told.append(json.loads(line))
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def await_told(self, what, seconds=90):
        """The first record from now on for which `what` holds."""
        deadline = time.monotonic() + seconds
        with self.changed:
            seen = len(self.told)
            while True:
                for record in self.told[seen:]:
                    if what(record):
                        return record
                seen = len(self.told)
                if self.run.poll() is not None and not self.reader.is_alive():
                    raise AssertionError(f"it ended with {self.run.returncode}: {self.run.stderr.read()}")
                if not self.changed.wait(min(1, max(0, deadline - time.monotonic()))) and time.monotonic() > deadline:
                    raise AssertionError(f"it told only {self.told[-3:]}")

    def await_batch(self, seconds=90):
        return self.await_told(lambda record: record["event"] == "batch", seconds)

    def splits(self):
        with self.changed:
            return {record["split"] for record in self.told if record["event"] == "batch"}

    def end(self, how):
        self.run.send_signal(how)
        code = self.run.wait(60)
        self.reader.join()
        error = self.run.stderr.read()
        self.run.stdout.close()
        self.run.stderr.close()
        return code, error


class Group(Topics):
    def setUp(self):
        super().setUp()
        self.processes = []
        self.addCleanup(self.end_all)

    def start(self, settings):
        self.processes.append(Process(settings))
        return self.processes[-1]

    def end_all(self):
        for each in self.processes:
            if each.run.returncode is None:
                each.end(signal.SIGKILL)

    def partition_of(self, line, number):
        """All orders of a customer are in one partition; what is no order may be anywhere."""
        try:
            customer = json.loads(line)["customer_id"]
            return customer % 7 if isinstance(customer, int) and customer > 0 else number % 6
        except (ValueError, KeyError):
            return number % 6

    def fill(self, lines):
        """Lines with the partition that they belong to."""
        path = self.folder / "records.txt"
        path.write_bytes(b"".join(b"%d\t%s\n" % (partition, line) for partition, line in lines))
        self.administer("fill", self.topic, path)

    def prepared(self, *options):
        self.generate("--rows", 60000, "--batch-rows", 1000, "--customers", CUSTOMERS, "--late", 0, "--invalid", 0.02, *options)
        lines = self.events.read_bytes().splitlines()  # some are no text
        return [(self.partition_of(line, number), line) for number, line in enumerate(lines)]

    def shared(self, rejected=None, **more):
        source = {"intake": "group", "group_id": self.topic, "partitioned_by": ["customer_id"], "librdkafka": SESSION}
        source.update(more)
        return self.profile(rows=500, source=source, rejected=rejected)

    def kill_another(self, settings, piece):
        """A process joins, reads some of these records, and is killed wherever it is then."""
        killed = self.start(settings)
        killed.await_told(lambda record: record["event"] == "split" and record["state"] == "running")
        self.fill(piece)
        killed.await_batch()
        killed.end(signal.SIGKILL)

    def windows(self):
        with sqlite3.connect(self.folder / "orders.db") as tables:
            return tables.execute(f"SELECT {COLUMNS} FROM customer_order_windows").fetchall()

    def assert_answer(self):
        with open(self.folder / "answer" / "windows.csv", encoding="utf-8") as answer:
            expected = sorted((int(row[0]), row[1], row[2], int(row[3]), row[4], row[5])
                              for row in list(csv.reader(answer))[1:])
        self.assertGreater(len(expected), 1000)
        self.assertEqual(sorted(self.windows()), expected)
        with open(self.folder / "answer" / "invalid.csv", encoding="utf-8") as answer:
            invalid = len(list(csv.reader(answer))) - 1
        with sqlite3.connect(self.folder / "orders.db") as tables:
            rejected = tables.execute("SELECT split, position FROM rejected_order_events").fetchall()
            late = tables.execute("SELECT count(*) FROM late_order_events").fetchone()[0]
        self.assertEqual(len(set(rejected)), len(rejected), "a row is rejected twice")
        self.assertEqual((len(rejected), late), (invalid, 0))

    def test_killed_stopped_and_grown_the_answer_is_the_same(self):
        placed = self.prepared()
        half = len(placed) // 2
        self.create_topic(6)
        first = [each for each in placed[:half] if each[0] != 6]
        settings = self.shared(on_added_partition="continue")
        stays = self.start(settings)
        # In pieces, so that there is something to read whenever a process goes or comes.
        pieces = [first[len(first) * i // 5:len(first) * (i + 1) // 5] for i in range(5)]
        self.fill(pieces[0])
        stays.await_batch()
        for piece in pieces[1:]:
            self.kill_another(settings, piece)
        goes_on = self.start(settings)
        goes_on.await_told(lambda record: record["event"] == "split" and record["state"] == "running")
        code, error = stays.end(signal.SIGTERM)
        self.assertEqual(code, 0, error)
        self.assertEqual(stays.told[-1]["outcome"], "stopped")
        self.administer("grow", self.topic, 7)
        comes = self.start(settings)
        comes.await_told(lambda record: record["event"] == "split" and record["state"] == "running")
        self.fill([each for each in placed[:half] if each[0] == 6] + placed[half:])
        comes.await_batch()
        status = json.loads(run("status", "--profile", settings, "--json").stdout)
        self.assertEqual(sum(each["running"] for each in status["processes"]), 2)
        stopped = run("stop", "--profile", settings)
        self.assertEqual(stopped.returncode, 0, stopped.stderr)
        for each in (goes_on, comes):
            self.assertEqual(each.run.wait(60), 0)
        self.finish(settings)
        self.assert_answer()

    def test_each_rejected_record_is_one_letter_whoever_reads_it(self):
        placed = self.prepared()
        self.create_topic(7)
        settings = self.shared(rejected=self.dead())
        stays = self.start(settings)
        pieces = [placed[len(placed) * i // 4:len(placed) * (i + 1) // 4] for i in range(4)]
        self.fill(pieces[0])
        stays.await_batch()
        for piece in pieces[1:]:
            self.kill_another(settings, piece)
        stays.end(signal.SIGTERM)
        self.finish(settings)
        offsets = collections.Counter()
        places = []
        for partition, _ in placed:
            places.append((f"{self.topic}/{partition}", offsets[partition]))
            offsets[partition] += 1
        self.assert_letters(self.letters(settings), places)


if __name__ == "__main__":
    sys.exit(topics.run_tests())
