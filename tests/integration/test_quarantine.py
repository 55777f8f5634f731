"""`quarantine` lists, shows, counts and redrives rejected rows, with a real pipeline and its real targets.

usage: test_quarantine.py <01_customer_orders> [unittest arguments]
"""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

PIPELINE = os.path.abspath(sys.argv[1])


def order(number, **changed):
    fields = {"event_id": f"e{number}", "order_id": number, "customer_id": 7, "order_total": "10.00", "status": "paid",
              "event_time": "2026-03-01T10:%02d:00Z" % number}
    fields.update(changed)
    return json.dumps(fields)


# Four rows are wrong: in two ways, one of them in both, and one is no JSON.
LINES = [order(1), order(2, order_total="-1.00"), order(3), order(4, customer_id=0), order(5, customer_id=0, status="lost"),
         "no \"json\", \u00e9", order(6)]
PROFILE = """
assets:
  order_events: {connector: file, path: order_events.ndjson}
  customer_order_windows: {connector: sqlite, path: out.db}
  rejected_order_events: {connector: file, path: rejected, format: FORMAT}
  late_order_events: {connector: sqlite, path: out.db}
trigger: available_now
checkpoint: out.checkpoint
"""


class Quarantine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        (self.folder / "order_events.ndjson").write_text("\n".join(LINES) + "\n")
        self.database = "customer_orders.db"
        self.options = []

    def tearDown(self):
        shutil.rmtree(self.folder)

    def use_files(self, file_format):
        (self.folder / "local.yaml").write_text(PROFILE.replace("FORMAT", file_format))
        self.database = "out.db"
        self.options = ["--profile", "local.yaml"]

    def call(self, *words, code=0):
        done = subprocess.run([PIPELINE, *words, *self.options], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def run_pipeline(self):
        return self.call("run", "--once", "--progress", "none")

    def rows(self, *words):
        return [json.loads(line) for line in self.call("quarantine", "list", "--json", *words).splitlines()]

    def paid_orders(self):
        with sqlite3.connect(self.folder / self.database) as database:
            return sum(count for count, in database.execute("SELECT paid_order_count FROM customer_order_windows"))

    def check_listing(self):
        self.run_pipeline()
        rows = self.rows()
        self.assertEqual([row["payload"] for row in rows], [LINES[1], LINES[3], LINES[4], LINES[5]])
        self.assertEqual([row["reason"] for row in rows], ["constraint", "constraint", "constraint", "malformed"])
        self.assertEqual([row["field"] for row in rows], ["order_total", "customer_id", "customer_id", ""])
        self.assertEqual(rows[2]["violations"], "customer_id=constraint;status=not_in_set")
        self.assertEqual(rows[0]["position"], len(LINES[0]) + 1)
        self.assertEqual({row["asset"] for row in rows}, {"rejected_order_events"})
        self.assertEqual({row["redriven"] for row in rows}, {False})
        self.assertEqual(len({row["id"] for row in rows}), 4)

        self.assertEqual([row["id"] for row in self.rows("--field", "customer_id")], [rows[1]["id"], rows[2]["id"]])
        self.assertEqual([row["id"] for row in self.rows("--reason", "malformed")], [rows[3]["id"]])
        self.assertEqual(len(self.rows("--limit", "3")), 3)
        shown = json.loads(self.call("quarantine", "show", rows[3]["id"]))
        self.assertEqual(shown, rows[3])
        text = self.call("quarantine", "list", "--limit", "1")
        self.assertIn(rows[0]["id"], text)
        self.assertIn("4 rows, the first 1 are shown", text)
        self.assertEqual(self.call("quarantine", "count").splitlines(), [
            "asset  reason  field  rows  redriven",
            "rejected_order_events  constraint  customer_id  2  0",
            "rejected_order_events  constraint  order_total  1  0",
            "rejected_order_events  malformed  -  1  0"])
        return rows

    def check_redrive(self):
        rows = self.check_listing()
        self.assertEqual(self.paid_orders(), 3)
        # Repaired: the negative total and the customer; unchanged: the line that is no JSON.
        repaired = [{"id": rows[0]["id"], "payload": order(2)}, {"id": rows[1]["id"], "payload": json.dumps(json.loads(order(4)), indent=1)}]
        (self.folder / "repaired.ndjson").write_text("".join(json.dumps(each) + "\n" for each in repaired))
        told = self.call("quarantine", "redrive", "--repaired", "repaired.ndjson", "--dry-run")
        self.assertEqual(told, "2 rows of rejected_order_events would be redriven\n")
        self.assertEqual({row["redriven"] for row in self.rows()}, {False})
        told = self.call("quarantine", "redrive", "--repaired", "repaired.ndjson")
        self.assertIn("2 rows of rejected_order_events are redriven: extract orders reads ", told)
        self.assertEqual([row["redriven"] for row in self.rows()], [True, True, False, False])
        self.run_pipeline()
        self.assertEqual(self.paid_orders(), 5)
        self.assertEqual(len(self.rows()), 4)

        # Again, by name and with all others: nothing that was redriven is taken.
        told = self.call("quarantine", "redrive", rows[0]["id"])
        self.assertEqual(told, "0 rows of rejected_order_events are redriven; 1 were redriven before and are not again\n")
        told = self.call("quarantine", "redrive", "--all")
        self.assertIn("2 rows of rejected_order_events are redriven", told)
        self.assertIn("; 2 were redriven before and are not again", told)
        self.run_pipeline()
        self.run_pipeline()
        self.assertEqual(self.paid_orders(), 5)
        # Unchanged rows are rejected again, from their new place and so with new ids.
        again = self.rows()
        self.assertEqual([row["payload"] for row in again[4:]], [LINES[4], LINES[5]])
        self.assertEqual([row["redriven"] for row in again], [True] * 4 + [False] * 2)
        self.assertIn("rejected_order_events  constraint  customer_id  3  2\n", self.call("quarantine", "count"))

    def test_rows_in_sqlite(self):
        self.check_redrive()

    def test_rows_in_ndjson_files(self):
        self.use_files("ndjson")
        self.check_redrive()

    def test_rows_in_csv_files(self):
        self.use_files("csv")
        self.check_redrive()

    def test_a_crash_between_ledger_and_payloads_loses_and_doubles_nothing(self):
        rows = self.check_listing()
        (self.folder / "repaired.ndjson").write_text(json.dumps({"id": rows[0]["id"], "payload": order(2)}) + "\n")
        told = self.call("quarantine", "redrive", "--repaired", "repaired.ndjson")
        pathlib.Path(told.split(" reads ")[1].strip()).unlink() if told.split(" reads ")[1].startswith("/") else \
            (self.folder / told.split(" reads ")[1].strip()).unlink()
        self.run_pipeline()
        self.assertEqual(self.paid_orders(), 3)
        self.assertIn("0 rows", self.call("quarantine", "redrive", rows[0]["id"]))  # finishes the first one
        self.run_pipeline()
        self.assertEqual(self.paid_orders(), 4)
        self.assertIn("0 rows", self.call("quarantine", "redrive", rows[0]["id"]))
        self.run_pipeline()
        self.assertEqual(self.paid_orders(), 4)

    def test_before_the_first_run_there_is_nothing(self):
        self.assertEqual(self.call("quarantine", "list"), "0 rows\n")
        self.assertEqual(self.rows(), [])
        self.assertFalse((self.folder / self.database).exists())

    def test_mistakes_say_what_to_do(self):
        self.run_pipeline()
        self.assertIn("quarantine needs to know what to do", self.call("quarantine", code=2))
        self.assertIn('did you mean "list"?', self.call("quarantine", "lits", code=2))
        self.assertIn("redrive needs to know which rows", self.call("quarantine", "redrive", code=2))
        self.assertIn("show needs the id of a row", self.call("quarantine", "show", code=2))
        self.assertIn("are for redrive", self.call("quarantine", "count", "--all", code=2))
        self.assertIn('did you mean "rejected_order_events"?',
                      self.call("quarantine", "list", "--asset", "rejected_orders_events", code=2))
        self.assertIn("there is no rejected row 0123", self.call("quarantine", "redrive", "0123", code=2))
        self.assertIn("there is no rejected row 0123", self.call("quarantine", "show", "0123", code=3))
        (self.folder / "repaired.ndjson").write_text('{"id": 7}\n')
        self.assertIn("a line of the repaired rows cannot be used",
                      self.call("quarantine", "redrive", "--repaired", "repaired.ndjson", code=3))
        self.assertIn("no_such_file", self.call("quarantine", "redrive", "--repaired", "no_such_file", code=3))
        self.assertIn('has no option --resaon', self.call("quarantine", "list", "--resaon", "x", code=2))
        self.options = []
        done = subprocess.run([PIPELINE, "quarantine", "--help"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertIn("list|show|count|redrive", done.stdout)
        ledger = self.folder / "customer_orders.checkpoint.redrive" / "orders.000001.ledger"
        self.call("quarantine", "redrive", "--all")
        ledger.write_text(ledger.read_text()[:-3])
        self.assertIn("of the ledger cannot be read", self.call("quarantine", "redrive", "--all", code=6))

    def test_gates_of_a_profile_pause_and_a_batch_is_accepted(self):
        self.use_files("ndjson")
        with open(self.folder / "local.yaml", "a") as profile:
            profile.write("quality:\n  - {name: few, of: order_events, metric: invalid_share, at_most: 50%, otherwise: pause}\n")
        (self.folder / "order_events.ndjson").write_text("\n".join(LINES[:6]) + "\n")
        told = self.call("run", "--once", "--progress", "none", code=4)
        self.assertIn("PMSTREAM417: paused: quality gate 'few' of 'order_events' does not hold: invalid_share is 66.6667%", told)
        self.assertIn("--accept-batch 0", told)
        self.call("run", "--once", "--progress", "none", code=4)
        self.call("run", "--once", "--progress", "none", "--accept-batch", "0")
        self.assertEqual(len(self.rows()), 4)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
