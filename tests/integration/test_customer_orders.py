"""The orders example against the generator's own answer: in one run, and stopped and restarted many times.

usage: test_customer_orders.py <01_customer_orders> <generate_orders> [unittest arguments]
"""

import json
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

EXAMPLE, GENERATE = (os.path.abspath(path) for path in sys.argv[1:3])
COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare_orders.py")


def generate(folder, *options):
    """Writes order_events.ndjson and its answer into a folder."""
    subprocess.run([GENERATE, "--output", folder / "order_events.ndjson", "--answer", folder / "answer", *options],
                   check=True)


def profile(folder, rows_per_batch=None, **sections):
    """A profile for the folder, as text."""
    lines = ["name: test", "assets:",
             f"  order_events: {{connector: file, path: {folder}/order_events.ndjson}}"]
    for table in ("customer_order_windows", "rejected_order_events", "late_order_events"):
        lines.append(f"  {table}: {{connector: sqlite, path: {folder}/orders.db, table: {table}}}")
    lines.append(f"checkpoint: {{path: {sections.get('checkpoint', folder / 'checkpoint')}}}")
    if rows_per_batch:
        lines.append(f"limits: {{max_rows_per_trigger: {rows_per_batch}}}")
    path = folder / "profile.yaml"
    path.write_text("\n".join(lines) + "\n")
    return path


def run(*arguments, **options):
    return subprocess.run([EXAMPLE, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def records(text, event):
    return [record for record in map(json.loads, text.splitlines()) if record["event"] == event]


class Orders(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def assert_same_as_answer(self, database):
        compared = subprocess.run([sys.executable, COMPARE, database, self.folder / "answer", "--input",
                                   self.folder / "order_events.ndjson"], capture_output=True, text=True)
        self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)

    def assert_balanced(self, record):
        """rows read = valid + invalid; valid = filtered + late + aggregated."""
        for extract in record["extracts"]:
            self.assertEqual(extract["read"], extract["valid"] + extract["invalid"])
            self.assertEqual(sum(extract["reasons"].values()), extract["invalid"])
        for step in record["steps"]:
            self.assertEqual(step["received"], step["filtered"] + step["late"] + step["kept"])
            self.assertEqual(step["received"], record["extracts"][0]["valid"])

    def assert_refused(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in ("error PM", "where:", "help:", *words):
            self.assertIn(word, done.stderr)


class Answers(Orders):
    def test_one_run_over_a_million_rows(self):
        generate(self.folder)
        done = run("run", "--once", "--data", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_as_answer(self.folder / "customer_orders.db")
        batches, summary = records(done.stdout, "batch"), records(done.stdout, "summary")[0]
        for record in batches + [summary]:
            self.assert_balanced(record)
        counts = json.loads((self.folder / "answer" / "counts.json").read_text())
        self.assertEqual(summary["rows_read"], counts["rows"])
        self.assertEqual(summary["extracts"][0]["reasons"], counts["reasons"])
        self.assertEqual(summary["steps"][0]["filtered"], counts["filtered"])
        self.assertEqual(summary["late"], counts["late"])
        self.assertEqual(summary["steps"][0]["kept"], counts["aggregated"])
        self.assertGreater(summary["rows_per_second"], 0)
        # A layout that stays the same is hardly ever left to the code for all of JSON.
        self.assertGreater(summary["extracts"][0]["fast"], 0.999 * summary["extracts"][0]["valid"])

    def test_a_million_rows_stopped_and_restarted_ten_times(self):
        generate(self.folder, "--batch-rows", "20000")
        settings = profile(self.folder, rows_per_batch=4000)
        read, stops, queries = 0, 0, set()
        while stops < 10:
            query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"],
                                     stdout=subprocess.PIPE, text=True)
            query.stdout.readline()
            query.stdout.readline()  # two batches are committed; stop in the middle of the next
            query.send_signal(signal.SIGTERM)
            summary = records(query.communicate(timeout=60)[0], "summary")[0]
            self.assertEqual(query.returncode, 0)
            queries.add(summary["query"])
            read += summary["rows_read"]
            stops += 1
        self.assertLess(read, 1000000, "the input was too short for ten stops")
        done = run("run", "--once", "--profile", settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        queries.add(records(done.stdout, "summary")[0]["query"])
        self.assertEqual(len(queries), 1, "a restart goes on with the same query")
        self.assertEqual(read + records(done.stdout, "summary")[0]["rows_read"], 1000000)
        self.assert_same_as_answer(self.folder / "orders.db")

    def test_the_number_of_workers_changes_nothing(self):
        generate(self.folder, "--rows", "300000", "--batch-rows", "50000", "--shuffled-keys", "--invalid", "0.03")
        settings = profile(self.folder, rows_per_batch=50000)
        tables = []
        for workers in ("1", "2", "7"):
            (self.folder / "orders.db").unlink(missing_ok=True)
            shutil.rmtree(self.folder / "checkpoint", ignore_errors=True)
            done = run("run", "--once", "--profile", settings, "--workers", workers)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_same_as_answer(self.folder / "orders.db")
            with sqlite3.connect(self.folder / "orders.db") as database:
                tables.append([sorted(map(repr, database.execute(
                    f"SELECT {columns} FROM {table}"))) for table, columns in (
                        ("customer_order_windows", "*"), ("late_order_events", "*"),
                        ("rejected_order_events", "position, field, reason, violations, payload"))])
        self.assertEqual(tables[0], tables[1])
        self.assertEqual(tables[0], tables[2])

    def test_killed_again_and_again(self):
        generate(self.folder, "--rows", "200000", "--batch-rows", "5000")
        settings = profile(self.folder, rows_per_batch=1000)  # enough batches that there are some left to kill
        for kills in range(12):
            query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"],
                                     stdout=subprocess.PIPE, text=True)
            for _ in range(1 + kills % 3):
                query.stdout.readline()
            query.kill()  # wherever it is now
            query.communicate(timeout=60)
        done = run("run", "--once", "--profile", settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_as_answer(self.folder / "orders.db")

    def test_killed_while_workers_read(self):
        generate(self.folder, "--rows", "400000", "--batch-rows", "20000", "--invalid", "0.03")
        settings = profile(self.folder, rows_per_batch=20000)  # eleven pieces a batch, so that all workers have some
        for kills in range(8):
            query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json", "--workers", "3"],
                                     stdout=subprocess.PIPE, text=True)
            for _ in range(1 + kills % 3):
                query.stdout.readline()
            query.kill()
            query.communicate(timeout=60)
        done = run("run", "--once", "--profile", settings, "--workers", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_as_answer(self.folder / "orders.db")

    def test_hard_input(self):
        generate(self.folder, "--rows", "200000", "--batch-rows", "10000", "--shuffled-keys", "--extra-fields",
                 "--escapes", "0.01", "--skew", "half", "--decoy-times", "--invalid", "0.05")
        done = run("run", "--once", "--profile", profile(self.folder, rows_per_batch=10000))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_as_answer(self.folder / "orders.db")

    def test_a_file_that_grows_behind_half_a_line_is_left_out_with_a_warning(self):
        generate(self.folder, "--rows", "1000", "--batch-rows", "100", "--late", "0")
        path = self.folder / "order_events.ndjson"
        path.write_bytes(path.read_bytes()[:-5])
        self.assertEqual(run("run", "--once", "--data", self.folder).returncode, 0)
        with path.open("ab") as file:
            file.write(b'12Z"}\n')
        for _ in range(2):
            done = run("run", "--once", "--data", self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            summary = records(done.stdout, "summary")[0]
            self.assertEqual(summary["rows_read"], 0)
            self.assertIn("PMSTREAM423", "".join(summary["warnings"]))

    def test_a_second_run_without_new_input_changes_nothing(self):
        generate(self.folder, "--rows", "50000", "--batch-rows", "5000")
        settings = profile(self.folder, rows_per_batch=5000)
        run("run", "--once", "--profile", settings)
        again = run("run", "--once", "--profile", settings)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(records(again.stdout, "summary")[0]["rows_read"], 0)
        self.assert_same_as_answer(self.folder / "orders.db")

    def test_a_restart_that_names_the_folder_otherwise_reads_nothing_twice(self):
        generate(self.folder, "--rows", "5000", "--batch-rows", "5000")
        run("run", "--once", "--data", self.folder)
        for folder in (".", os.path.join("..", self.folder.name), self.folder):
            again = run("run", "--once", "--data", folder, cwd=self.folder)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(records(again.stdout, "summary")[0]["rows_read"], 0)
        self.assert_same_as_answer(self.folder / "customer_orders.db")


class BadInput(Orders):
    def prepare(self):
        generate(self.folder, "--rows", "20000", "--batch-rows", "5000")

    def test_missing_file(self):
        done = run("run", "--once", "--profile", profile(self.folder))
        self.assert_refused(done, 4, "order_events.ndjson")

    def test_input_that_cannot_be_read_as_a_file(self):
        (self.folder / "order_events.ndjson").symlink_to(self.folder / "order_events.ndjson")
        done = run("run", "--once", "--profile", profile(self.folder))
        self.assert_refused(done, 4, "order_events.ndjson")

    @unittest.skipIf(os.geteuid() == 0, "root may read every directory")
    def test_unreadable_directory(self):
        (self.folder / "closed").mkdir(mode=0)
        settings = profile(self.folder)
        settings.write_text(settings.read_text().replace("order_events.ndjson", "closed"))
        self.assert_refused(run("run", "--once", "--profile", settings), 4, "closed")

    def test_wrong_profile(self):
        self.prepare()
        settings = profile(self.folder)
        settings.write_text(settings.read_text().replace("connector: file", "conector: file"))
        done = run("run", "--once", "--profile", settings)
        self.assertEqual(done.returncode, 3, done.stderr)
        for word in ("profile.yaml:3", "conector", "connector"):
            self.assertIn(word, done.stderr)

    def test_missing_profile(self):
        done = run("run", "--once", "--profile", self.folder / "none.yaml")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("none.yaml", done.stderr)

    def test_checkpoint_that_cannot_be_written(self):
        self.prepare()
        (self.folder / "plain").write_text("")
        done = run("run", "--once", "--profile", profile(self.folder, checkpoint=self.folder / "plain" / "checkpoint"))
        self.assert_refused(done, 6, "plain")

    def test_second_process_on_the_same_checkpoint(self):
        self.prepare()
        settings = profile(self.folder, rows_per_batch=1000)
        first = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json"],
                                 stdout=subprocess.PIPE, text=True)
        first.stdout.readline()
        second = run("run", "--once", "--profile", settings)
        self.assert_refused(second, 6, str(first.pid), "checkpoint")
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
        self.assertEqual(first.returncode, 0)
        run("run", "--once", "--profile", settings)
        self.assert_same_as_answer(self.folder / "orders.db")

    def test_table_that_does_not_fit(self):
        self.prepare()
        database = sqlite3.connect(self.folder / "orders.db")
        database.execute("CREATE TABLE customer_order_windows (customer_id TEXT, total REAL)")
        database.execute("INSERT INTO customer_order_windows VALUES ('kept', 1.5)")
        database.commit()
        database.close()
        done = run("run", "--once", "--profile", profile(self.folder))
        self.assert_refused(done, 5, "customer_order_windows", "window_start")
        database = sqlite3.connect(self.folder / "orders.db")
        self.assertEqual(database.execute("SELECT * FROM customer_order_windows").fetchall(), [("kept", 1.5)])
        database.close()

    def lost_target(self, lose):
        """Two runs over growing input; `lose` harms the database between them. Gives the failure of the second."""
        self.prepare()
        settings, database = profile(self.folder, rows_per_batch=5000), self.folder / "orders.db"
        whole = (self.folder / "order_events.ndjson").read_bytes().splitlines(keepends=True)

        def arrive(rows):
            (self.folder / "order_events.ndjson").write_bytes(b"".join(whole[:rows]))
            return run("run", "--once", "--profile", settings)

        self.assertEqual(arrive(5000).returncode, 0)
        shutil.copy(database, self.folder / "older.db")
        self.assertEqual(arrive(10000).returncode, 0)
        shutil.copy(database, self.folder / "newest.db")
        lose(database)
        harmed = database.read_bytes() if database.exists() else None
        refused = arrive(len(whole))
        self.assert_refused(refused, 5, "PMSTREAM475", "customer_order_windows", str(database),
                            str(self.folder / "checkpoint"))
        self.assertEqual(database.read_bytes() if database.exists() else None, harmed)
        again = run("run", "--once", "--profile", settings)
        self.assertEqual(again.stderr, refused.stderr, "it is refused until something is done")
        shutil.copy(self.folder / "newest.db", database)
        restored = run("run", "--once", "--profile", settings)
        self.assertEqual(restored.returncode, 0, restored.stderr)
        self.assert_same_as_answer(database)
        return refused.stderr

    def test_deleted_database(self):
        self.assertIn("has published nothing", self.lost_target(lambda database: database.unlink()))

    def test_older_copy_of_the_database(self):
        self.assertIn("has published batches up to ",
                      self.lost_target(lambda database: shutil.copy(self.folder / "older.db", database)))

    def test_dropped_table(self):
        def drop(database):
            connection = sqlite3.connect(database)
            connection.execute("DROP TABLE customer_order_windows")
            connection.commit()
            connection.close()

        self.assertIn("has published nothing", self.lost_target(drop))

    def test_full_disk_leaves_an_intact_table(self):
        self.prepare()
        settings = profile(self.folder, rows_per_batch=5000)

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        done = run("run", "--once", "--profile", settings, preexec_fn=little_room)
        self.assertIn(done.returncode, (5, 7), done.stdout + done.stderr)
        self.assertIn("error PM", done.stderr)
        database = sqlite3.connect(self.folder / "orders.db")
        self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        database.close()
        again = run("run", "--once", "--profile", settings)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assert_same_as_answer(self.folder / "orders.db")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
