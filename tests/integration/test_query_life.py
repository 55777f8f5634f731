"""How the orders example ends, tries again and is seen from outside: signals, `stop`, `status`, `report`.

usage: test_query_life.py <01_customer_orders> <generate_orders> [unittest arguments]
"""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

EXAMPLE, GENERATE = (os.path.abspath(path) for path in sys.argv[1:3])
COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare_orders.py")


def records(text, event):
    return [record for record in map(json.loads, text.splitlines()) if record["event"] == event]


class QueryLife(unittest.TestCase):
    def setUp(self):
        # In memory, if there is such a place: nothing here is about a real disk, and fsync there is slow.
        self.temporary = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        subprocess.run([GENERATE, "--output", self.folder / "order_events.ndjson", "--answer", self.folder / "answer",
                        "--rows", "20000", "--batch-rows", "2000"], check=True)
        self.running = []
        self.addCleanup(lambda: [each.kill() for each in self.running if each.poll() is None])

    def write_profile(self, *lines, rows_per_batch=2000, busy_ms=1):
        tables = "".join(f"  {table}: {{connector: sqlite, path: orders.db, table: {table}, busy_timeout_ms: {busy_ms}}}\n"
                         for table in ("customer_order_windows", "rejected_order_events", "late_order_events"))
        path = self.folder / "profile.yaml"
        path.write_text("assets:\n  order_events: {connector: file, path: order_events.ndjson}\n" + tables +
                        f"checkpoint: checkpoint\nlimits: {{max_rows_per_trigger: {rows_per_batch}}}\n" +
                        "".join(line + "\n" for line in lines))
        return path

    def start(self, settings, *arguments):
        made = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json", *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.running.append(made)
        return made

    def ask(self, *arguments, code=0):
        done = subprocess.run([EXAMPLE, *map(str, arguments)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def await_status(self, settings, word):
        """Asks until the status has the word; the example's own start takes longer than a pause would."""
        for _ in range(2000):
            done = subprocess.run([EXAMPLE, "status", "--profile", settings], capture_output=True, text=True)
            if word in done.stdout:
                return done.stdout
        self.fail(f"never {word}: {done.stdout}{done.stderr}")

    def assert_answer(self):
        compared = subprocess.run([sys.executable, COMPARE, self.folder / "orders.db", self.folder / "answer", "--input",
                                   self.folder / "order_events.ndjson"], capture_output=True, text=True)
        self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)

    def lock_database(self):
        database = sqlite3.connect(self.folder / "orders.db", isolation_level=None, timeout=60)
        self.addCleanup(database.close)
        database.execute("BEGIN IMMEDIATE")
        return database

    def test_a_locked_database_is_waited_for(self):
        settings = self.write_profile("retry: {attempts: 100000, backoff: 1ms, longest_backoff: 5ms}")
        database = self.lock_database()
        query = self.start(settings)
        shown = self.await_status(settings, "waiting to retry since")
        self.assertIn("PMSTREAM434", shown)
        self.assertIn(f"process {query.pid}", shown)
        database.execute("ROLLBACK")
        self.await_status(settings, "idle since")
        self.assertIn("has stopped", self.ask("stop", "--profile", settings))
        out, error = query.communicate(timeout=60)
        self.assertEqual(query.returncode, 0, error)
        summary = records(out, "summary")[0]
        self.assertEqual((summary["outcome"], summary["rows_read"]), ("stopped", 20000))
        retry = records(out, "retry")[0]
        self.assertEqual((retry["code"], retry["attempt"], retry["attempts"]), ("PMSTREAM434", 1, 100000))
        self.assertRegex(error, r"PMSTREAM434: .*; waits 0\.0\d\d s, then tries again: attempt \d+ of 100000\n")
        self.assert_answer()
        report = json.loads(self.ask("report", "--json", "--profile", settings))[0]
        self.assertEqual(report["outcome"], "stopped")
        self.assertGreater(report["retries"], 0)
        self.assertEqual(report["failures"][0]["code"], "PMSTREAM434")
        self.assertEqual(report["rows"]["read"], 20000)

    def test_without_retry_a_locked_database_ends_the_query(self):
        settings = self.write_profile()
        self.lock_database()
        query = self.start(settings)
        self.assertIn("PMSTREAM434", query.communicate(timeout=60)[1])
        self.assertEqual(query.returncode, 8)

    def test_a_signal_ends_a_wait_at_once(self):
        settings = self.write_profile("retry: {attempts: 5, backoff: 1d, longest_backoff: 1d}")
        database = self.lock_database()
        query = self.start(settings)
        self.await_status(settings, "waiting to retry since")
        query.send_signal(signal.SIGTERM)
        out, error = query.communicate(timeout=60)
        self.assertEqual(query.returncode, 0, error)
        self.assertIn("stopped while it waited", records(out, "summary")[0]["warnings"][-1])
        database.execute("ROLLBACK")
        self.ask("run", "--once", "--profile", settings)
        self.assert_answer()

    def test_the_first_signal_stops_as_the_profile_says(self):
        settings = self.write_profile("on_stop: drain", rows_per_batch=1000)
        query = self.start(settings)
        query.stdout.readline()
        query.send_signal(signal.SIGINT)
        out, error = query.communicate(timeout=60)
        self.assertEqual(query.returncode, 0, error)
        self.assertIn("stopping when all that is there is read", error)
        self.assertEqual(records(out, "summary")[0]["rows_read"], 20000)
        self.assert_answer()

    def test_a_second_signal_stops_at_once_and_the_next_run_replays(self):
        settings = self.write_profile("on_stop: drain", busy_ms=60000)
        query = self.start(settings)
        query.stdout.readline()
        database = self.lock_database()  # a batch waits for it, whatever is asked
        for sentence in ("stopping when all that is there is read", "stopping at once"):
            query.send_signal(signal.SIGINT)
            while sentence not in query.stderr.readline():
                pass
        database.execute("ROLLBACK")
        out, error = query.communicate(timeout=60)
        self.assertEqual(query.returncode, 0, error)
        self.assertLess(records(out, "summary")[0]["rows_read"], 20000)
        self.ask("run", "--once", "--profile", settings)
        self.assert_answer()

    def test_stop_from_another_process(self):
        settings = self.write_profile(rows_per_batch=1000)
        query = self.start(settings)
        query.stdout.readline()
        self.assertEqual(self.ask("stop", "--how", "drain", "--checkpoint", self.folder / "checkpoint"),
                         f"process {query.pid} has stopped\n")
        out, error = query.communicate(timeout=60)
        self.assertEqual(query.returncode, 0, error)
        summary = records(out, "summary")[0]
        self.assertEqual((summary["outcome"], summary["rows_read"]), ("stopped", 20000))
        self.assert_answer()
        self.assertIn("nothing to stop", self.ask("stop", "--profile", settings))
        self.assertIn("not running, nobody holds the lock; stopped since", self.ask("status", "--profile", settings))

    def test_a_killed_process_is_told_as_one(self):
        settings = self.write_profile(rows_per_batch=1000)
        query = self.start(settings)
        query.stdout.readline()
        query.kill()
        query.communicate()
        self.assertIn("NOT RUNNING, nobody holds the lock", self.ask("status", "--profile", settings))
        self.assertFalse(json.loads(self.ask("status", "--json", "--profile", settings))["running"])
        self.ask("run", "--once", "--profile", settings)
        self.assert_answer()
        second, first = json.loads(self.ask("report", "--last", "2", "--json", "--profile", settings))
        self.assertEqual((first["outcome"], first["start"]), ("running", "fresh"))
        self.assertEqual((second["outcome"], second["start"]), ("finished", "recovery"))
        self.assertIn("rows.read", self.ask("report", "--compare", "previous", "--profile", settings))

    def test_there_is_nothing_to_see_where_nothing_ran(self):
        settings = self.write_profile()
        self.assertIn("PMSTREAM493", self.ask("status", "--profile", settings, code=6))
        self.assertIn("PMSTREAM495", self.ask("report", "--profile", settings, code=3))
        self.assertIn("nothing to stop", self.ask("stop", "--profile", settings))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
