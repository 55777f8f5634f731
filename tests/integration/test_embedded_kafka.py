"""A pipeline whose profile is for a Kafka cluster runs without one: `run --embedded-kafka`.

usage: test_embedded_kafka.py <01_customer_orders> <generate_orders> [unittest arguments]
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

EXAMPLE, GENERATE = (os.path.abspath(path) for path in sys.argv[1:3])


class WithoutServer(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_with(self, *words, connector="kafka"):
        source = {"connector": "kafka", "bootstrap_servers": "far.away:9093", "topics": "orders",
                  "librdkafka": {"security.protocol": "SASL_SSL", "sasl.password": "env:THERE_IS_NO_SUCH_SECRET"}}
        if connector == "file":
            source = {"connector": "file", "path": str(self.folder / "orders.ndjson")}
        assets = {"order_events": source}
        for table in ("customer_order_windows", "rejected_order_events", "late_order_events"):
            assets[table] = {"connector": "sqlite", "path": str(self.folder / "orders.db"), "table": table}
        profile = self.folder / "profile.yaml"
        profile.write_text(json.dumps({"name": "tried", "assets": assets,
                                       "checkpoint": {"path": str(self.folder / "checkpoint")}}))
        return subprocess.run([EXAMPLE, "run", "--once", "--profile", profile, "--progress", "json", *words],
                              capture_output=True, text=True, timeout=60)

    def rows_read(self, *words):
        done = self.run_with(*words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [each for each in map(json.loads, done.stdout.splitlines()) if each["event"] == "summary"][0]["rows_read"]

    def test_topics_begin_with_the_lines_of_a_folder_and_a_checkpoint_goes_on(self):
        lines = self.folder / "orders.ndjson"
        subprocess.run([GENERATE, "--rows", "1001", "--output", lines], check=True, stdout=subprocess.DEVNULL)
        folder = ["--embedded-kafka", str(self.folder)]
        self.assertEqual(self.rows_read(*folder), 1001)
        self.assertEqual(self.rows_read(*folder), 0)
        with open(lines, "a", encoding="utf-8") as to:
            to.write("{}\n" * 10)
        self.assertEqual(self.rows_read(*folder), 10)

    def test_records_that_are_not_there_are_told(self):
        done = self.run_with("--embedded-kafka", str(self.folder / "nowhere"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("PMSTREAM429: the topic `orders` of the broker in the process is to begin with the lines of "
                      f"{self.folder}/nowhere/orders.ndjson, which cannot be read", done.stderr)

    def test_it_is_for_pipelines_that_are_bound_to_kafka(self):
        shutil.copy(__file__, self.folder / "orders.ndjson")
        done = self.run_with("--embedded-kafka", str(self.folder), connector="file")
        self.assertEqual(done.returncode, 3)
        self.assertIn("PMCFG346", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
