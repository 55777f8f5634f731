"""The Kafka source and sink against a real broker: the orders example, killed and restarted, compared with the
generator's answer; transactions; what goes wrong and how it is told (kafka/faults.py).

usage: test_kafka.py <01_customer_orders> <generate_orders> <kafka_records> <test_unit_kafka> [unittest arguments]

Exit code 77, with the reason, where no broker can be had. ETLANTIC_KAFKA_ORDERS=2000000 makes the orders of
test_killed_restarted_grown_and_with_a_broker_that_goes_away so many, which takes minutes.
"""

import csv
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "kafka"))
import topics  # noqa: E402
from topics import EXAMPLE, RECORDS, UNIT, Topics, records, run  # noqa: E402
from faults import *  # noqa: E402, F403


class Orders(Topics):
    def test_killed_restarted_grown_and_with_a_broker_that_goes_away(self):
        rows = int(os.environ.get("ETLANTIC_KAFKA_ORDERS", "200000"))
        half = rows // 2
        self.generate("--rows", rows, "--batch-rows", rows // 40, "--invalid", "0.02")
        self.create_topic(6)
        places = self.produce(0, half, 6)
        settings = self.profile(rows=rows // 100, retry={"attempts": 100, "backoff": "200ms", "longest_backoff": "1s"},
                                source={"timeout_ms": 5000})
        self.kill_again_and_again(settings, 6)
        read = self.finish(settings)["rows_read"]
        self.assertGreater(read, 0, "the kills left nothing")
        self.administer("grow", self.topic, 7)
        places.update(self.produce(half, rows, 7))
        self.kill_again_and_again(settings, 4)
        query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(query.kill)
        query.stdout.readline()
        topics.BROKER.stop()
        topics.BROKER.start()
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

    def test_killed_while_it_waits_for_records(self):
        # With low latency a batch is what has come, and its commit record is written with the next plan.
        self.generate("--rows", 12000, "--batch-rows", 1000, "--invalid", "0.02")
        self.create_topic(1)  # of several one may be far ahead when the first records come, and rows of others late
        places = {}
        settings = self.profile(rows=100, trigger="low_latency")
        for number, first in enumerate(range(0, 12000, 1000)):
            query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"],
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.addCleanup(query.kill)
            places.update(self.produce(first, first + 1000, 1))
            for _ in range(1 + number % 5):  # of at least ten
                query.stdout.readline()
            query.kill()
            query.communicate(timeout=60)
        self.assertGreater(self.finish(settings)["rows_read"], 0, "the kills left nothing")
        self.assert_same_as_answer(places)


class Reading(Topics):
    def test_topics_that_fit_a_pattern_also_new_ones(self):
        self.generate("--rows", 100, "--batch-rows", 10, "--late", 0, "--invalid", 0)
        name = self.topic
        settings = self.profile(source={"topics": None, "topic_pattern": name + "[.](eu|us)", "start": "latest"})
        self.topic = name + ".eu"
        self.create_topic()
        self.produce(0, 40, 1)
        query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(query.stdout.close)
        self.addCleanup(query.wait, 60)
        self.addCleanup(query.kill)
        status = self.folder / "checkpoint" / "status.json"
        while not status.exists() or json.loads(status.read_text())["status"] != "idle":
            self.assertIsNone(query.poll())
            time.sleep(0.05)
        self.topic = name + ".us"
        self.create_topic(2)
        self.produce(40, 90, 2)
        self.topic = name + ".za"  # does not fit
        self.create_topic()
        self.produce(90, 100, 1)
        read = 0
        while read < 50:
            read += json.loads(query.stdout.readline())["rows_read"]
        self.assertEqual(read, 50)

    def test_what_the_client_tells(self):
        self.generate("--rows", 20000, "--batch-rows", 1000)
        self.create_topic(3)
        self.produce(0, 20000, 3)
        settings = self.profile(rows=100, source={"librdkafka": {"statistics.interval.ms": "10"}})
        query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        for line in query.stdout:
            told = json.loads(line)["extracts"][0].get("client")
            if told and told["slowest_brokers"] and told["furthest_behind"]:
                break
        query.kill()
        query.communicate(timeout=60)
        self.assertIn(topics.BROKER.address, told["slowest_brokers"][0]["broker"])
        self.assertGreater(told["slowest_brokers"][0]["round_trip_seconds"], 0)
        self.assertIn(told["furthest_behind"][0]["split"], [f"{self.topic}/{number}" for number in range(3)])
        self.assertIn("  client        ", run("status", "--profile", settings).stdout)

    def test_only_what_transactions_have_committed(self):
        self.generate("--rows", 1000, "--batch-rows", 100, "--late", 0, "--invalid", 0)
        self.create_topic()
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

    def test_batches_that_end_on_a_marker_of_a_transaction(self):
        self.generate("--rows", 60, "--batch-rows", 10, "--late", 0, "--invalid", 0)
        self.create_topic()
        places = {}
        for first in range(0, 60, 10):
            ends = "abort" if first == 20 else "commit"
            written = self.produce(first, first + 10, 1, ends)
            places.update(written)
        # Ten records and their marker are eleven offsets, so that what lies behind a batch has come when it ends.
        self.assertEqual([places[line][1] for line in (0, 10, 50)], [0, 11, 55])
        settings = self.profile(rows=11)
        done = run("run", "--once", "--profile", settings, "--progress", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        read = [batch["rows_read"] for batch in records(done.stdout, "batch")]
        self.assertEqual([rows for rows in read if rows], [10, 10, 10, 10, 10])

    def test_a_time_to_begin_at_and_the_group_that_shows_how_far(self):
        self.generate("--rows", 100, "--batch-rows", 10, "--late", 0, "--invalid", 0)
        self.create_topic()
        self.produce(0, 40, 1)
        time.sleep(1.1)  # records have the time at which they were written
        between = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        time.sleep(1.1)
        self.produce(40, 100, 1)
        settings = self.profile(source={"start": between, "group_id": "shown"})
        self.assertEqual(self.finish(settings)["rows_read"], 60)
        self.assertEqual(self.administer("group", "shown"), f"{self.topic} 0 100\n")


class Records(Topics):
    def test_topic_partition_offset_time_key_headers_and_records_without_a_value(self):
        self.administer("create", "orders", 2, "retention.ms=-1")  # the records are old
        self.administer("create", "changes", 1, "retention.ms=-1")
        done = subprocess.run([UNIT, "[real_broker_records]"], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "ETLANTIC_TEST_KAFKA": topics.BROKER.address})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 test case", done.stdout)


class DeadLetters(Topics):
    def test_each_rejected_record_is_one_letter_under_kills(self):
        self.generate("--rows", 40000, "--batch-rows", 2000, "--invalid", "0.05")
        self.create_topic(3)
        places = self.produce(0, 40000, 3)
        settings = self.profile(rows=1000, rejected=self.dead())
        self.assertIn("effectively exactly once", run("plan", "--profile", settings).stdout)
        self.kill_again_and_again(settings, 6)
        self.finish(settings)
        lines = self.events.read_bytes().splitlines(keepends=True)
        letters = self.letters(settings)
        self.assert_letters(letters, places)
        line_of = {place: number for number, place in places.items()}
        for row in letters:
            came = lines[line_of[row["split"], row["position"]]].rstrip(b"\n")
            self.assertEqual(row["payload"], came.decode("utf-8", "replace"))
        refused = run("quarantine", "redrive", "--all", "--profile", settings)
        self.assertIn("only rows of a file source with a checkpoint can be redriven", refused.stderr)

    def test_rows_of_files_are_redriven_out_of_a_topic(self):
        self.generate("--rows", 2000, "--batch-rows", 200, "--invalid", "0.05")
        settings = self.profile(instead={"connector": "file", "path": str(self.events)}, rejected=self.dead())
        rejected = self.finish(settings)["invalid"]
        self.assertGreater(rejected, 0)
        self.assertEqual(len(self.letters(settings)), rejected)
        redriven = run("quarantine", "redrive", "--all", "--profile", settings)
        self.assertEqual(redriven.returncode, 0, redriven.stderr)
        self.assertIn(f"{rejected} rows of rejected_order_events are redriven", redriven.stdout)
        self.finish(settings)
        letters = self.letters(settings)  # they are as wrong as before
        self.assertEqual(len(letters), 2 * rejected)
        self.assertEqual(sum(row["redriven"] for row in letters), rejected)


class Publishing(Topics):
    def test_a_ledger_that_is_not_compacted_is_refused(self):
        self.generate("--rows", 10, "--batch-rows", 10)
        self.create_topic()
        ledger = self.topic + "-ledger"
        self.administer("create", ledger, 1)
        settings = self.profile(instead={"connector": "file", "path": str(self.events)},
                                windows={"connector": "kafka", "bootstrap_servers": topics.BROKER.address,
                                         "topic": self.topic, "ledger_topic": ledger})
        refused = run("run", "--once", "--profile", settings, "--progress", "json")
        failure = records(refused.stdout, "failure")[0]
        self.assertEqual((failure["class"], failure["code"]), ("configuration", "PMSTREAM429"))
        self.assertEqual(failure["message"], f"the ledger topic `{ledger}` has cleanup.policy `delete`: its notes of what "
                         "is published would be lost")
        self.administer("set", ledger, "cleanup.policy=compact,delete")
        self.assertIn("`compact,delete`", run("run", "--once", "--profile", settings).stderr)
        self.administer("set", ledger, "cleanup.policy=compact")
        self.finish(settings)

    def test_the_older_of_two_processes_is_refused(self):
        self.administer("create", "fenced", 1)
        done = subprocess.run([UNIT, "[real_broker]"], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "ETLANTIC_TEST_KAFKA": topics.BROKER.address})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 test case", done.stdout)

    def test_each_result_once_under_kills(self):
        self.generate("--rows", 60000, "--batch-rows", 3000)
        self.create_topic()
        settings = self.profile(
            instead={"connector": "file", "path": str(self.events)}, rows=1000,
            windows={"connector": "kafka", "bootstrap_servers": topics.BROKER.address, "topic": self.topic})
        self.kill_again_and_again(settings, 10)
        self.finish(settings)
        read = subprocess.run([RECORDS, "read", topics.BROKER.address, self.topic, "0"], capture_output=True, text=True,
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


if __name__ == "__main__":
    sys.exit(topics.run_tests())
