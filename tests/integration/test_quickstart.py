"""tools/quickstart without its building: where its results go, and what it says about them.

usage: test_quickstart.py <folder of the built examples> [delta]
With `delta` the programs must have the connector.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
HAS_DELTA = "delta" in sys.argv[2:]
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Answers as a program does that was built without Arrow, and is the real one otherwise.
WITHOUT_DELTA = """#!/bin/sh
if [ "$1" = validate ]; then echo 'error: there is no connector "delta"'; exit 2; fi
exec {program} "$@"
"""


class Quickstart(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="etlantic-quickstart-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.data = os.path.relpath(self.folder / "data", ROOT)  # from the repository, as the tool's own folder is

    def run_it(self, *options, programs=PROGRAMS):
        done = subprocess.run([ROOT / "tools/quickstart", "--programs", programs, "--folder", self.data,
                               "--rows", "20000", *options], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.try_what_it_names(done.stdout, programs)
        return done.stdout

    def try_what_it_names(self, told, programs):
        """The commands of the program that it says can be tried."""
        named = re.findall(rf"(?m)^    ({re.escape(str(programs))}/01_customer_orders .*)$", told)
        self.assertGreaterEqual(len(named), 2)
        for command in named:
            done = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, command + "\n" + done.stdout + done.stderr)

    def lines_of_answer(self, name):
        with open(next((self.folder / "data" / "answer").glob(f"{name}*"))) as lines:
            return sum(1 for _ in lines)

    def live_rows(self, table):
        """By the statistics in the log, without any reader of Delta tables."""
        files = {}
        for commit in sorted((self.folder / "data" / table / "_delta_log").glob("*.json")):
            for line in commit.read_text().splitlines():
                action = json.loads(line)
                if "add" in action:
                    files[action["add"]["path"]] = json.loads(action["add"]["stats"])["numRecords"]
                elif "remove" in action:
                    files.pop(action["remove"]["path"])
        return sum(files.values())

    @unittest.skipUnless(HAS_DELTA, "there is no connector delta in this build")
    def test_it_writes_delta_tables_and_tells_how_to_read_them(self):
        told = self.run_it()
        self.assertNotIn("no Delta Lake", told)
        windows = self.live_rows("customer_order_windows")
        self.assertGreater(windows, 100)
        self.assertFalse((self.folder / "data" / "customer_orders.db").exists())
        for how in ("spark.read", "delta_scan", "polars.read_delta"):
            self.assertIn(how, told)
        if "is not there; the tables are" not in told:  # DuckDB has counted
            counts = dict(re.findall(r"^(Windows|Rejected rows|Late rows) +(\d+)$", told, re.M))
            self.assertEqual(counts, {"Windows": str(windows), "Rejected rows": str(self.live_rows("rejected_order_events")),
                                      "Late rows": str(self.live_rows("late_order_events"))})
        self.data = self.folder / "data"  # reads nothing again
        self.run_it()
        self.assertEqual(self.live_rows("customer_order_windows"), windows)

    def test_sqlite_is_an_option(self):
        told = self.run_it("--sink", "sqlite")
        self.assertTrue((self.folder / "data" / "customer_orders.db").exists())
        self.assertFalse((self.folder / "data" / "customer_order_windows").exists())
        self.assertRegex(told, r"(?m)^Windows +[1-9]")

    def test_without_the_component_it_says_so_and_writes_sqlite(self):
        programs = self.folder / "programs"
        programs.mkdir()
        os.symlink(PROGRAMS / "generate_orders", programs / "generate_orders")
        (programs / "01_customer_orders").write_text(WITHOUT_DELTA.format(program=PROGRAMS / "01_customer_orders"))
        (programs / "01_customer_orders").chmod(0o755)
        told = self.run_it(programs=programs)
        self.assertIn("There is no Delta Lake in this build", told)
        self.assertTrue((self.folder / "data" / "customer_orders.db").exists())

    def test_what_is_wrong_ends_it(self):
        for wrong in (["--sink", "parquet"], ["--sink"], ["now"]):
            done = subprocess.run([ROOT / "tools/quickstart", *wrong], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
