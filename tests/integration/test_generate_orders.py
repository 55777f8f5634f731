#!/usr/bin/env python3
"""Checks generate_orders with a model of its own: test_generate_orders.py GENERATOR [unittest options].

The model reads the events as an engine would, cuts them into batches in many ways, and must come to the answer that the
generator wrote, whichever way it was.
"""

import collections
import csv
import datetime
import decimal
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import unittest

GENERATOR = None
COMPARE = pathlib.Path(__file__).with_name("compare_orders.py")

HOUR = 3_600_000_000
DELAY = 15 * 60_000_000
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
FIELDS = ["event_id", "order_id", "customer_id", "order_total", "status", "event_time"]
REASONS = ["malformed", "missing", "not_in_set", "constraint", "bad_text", "wrong_type"]
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")


def to_microseconds(text):
    """None for what is no RFC 3339 time."""
    if not RFC3339.fullmatch(text):
        return None
    try:
        passed = datetime.datetime.fromisoformat(text) - EPOCH
    except ValueError:
        return None
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


def to_text(microseconds):
    time = EPOCH + datetime.timedelta(microseconds=microseconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z"


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def reason_against(name, value):
    """Why the value breaks the contract, or None."""
    if name in ("order_id", "customer_id"):
        if not is_integer(value):
            return "wrong_type"
        return None if value > 0 else "constraint"
    if name == "order_total":
        if not is_integer(value) and not isinstance(value, decimal.Decimal):
            return "wrong_type"
        return None if value >= 0 else "constraint"
    if not isinstance(value, str):
        return "wrong_type"
    if name == "status":
        return None if value in ("paid", "cancelled", "refunded") else "not_in_set"
    if name == "event_time":
        return "bad_text" if to_microseconds(value) is None else None
    return None


Row = collections.namedtuple("Row", "line offset reason field event time")


def read_row(line, offset, raw):
    try:
        members = json.loads(raw.decode("utf-8"), parse_float=decimal.Decimal)
    except ValueError:
        return Row(line, offset, "malformed", "", None, None)
    violations = []
    for name in FIELDS:
        reason = reason_against(name, members[name]) if name in members else "missing"
        if reason:
            violations.append((reason, name))
    if violations:
        assert len(violations) == 1, f"line {line} has more than one wrong field: {raw!r}"
        return Row(line, offset, *violations[0], None, None)
    event = {name: members[name] for name in FIELDS}
    return Row(line, offset, None, None, event, to_microseconds(event["event_time"]))


def read_rows(path):
    rows = []
    offset = 0
    with open(path, "rb") as file:
        for line, raw in enumerate(file, start=1):
            rows.append(read_row(line, offset, raw.rstrip(b"\n")))
            offset += len(raw)
    return rows


def late_lines(paid_times, sizes, lag):
    """Lines that are late when the rows are cut into batches of these sizes, and the last watermark.

    Takes the time of each row, or None for one that is invalid or not paid. A batch judges by the watermark as it was
    after the batch that many before it.
    """
    watermarks = [0] * lag
    late = []
    first = 0
    while first < len(paid_times):
        size = next(sizes)
        judged_by = watermarks[-lag]
        newest = watermarks[-1]
        for line, time in enumerate(paid_times[first:first + size], start=first + 1):
            if time is None:
                continue
            if time - time % HOUR + HOUR <= judged_by:
                late.append(line)
            if time - DELAY > newest:
                newest = max(newest, time // 1000 * 1000 - DELAY)
        watermarks.append(newest)
        first += size
    return late, watermarks[-1]


def always(size):
    while True:
        yield size


def any_up_to(most, seed):
    source = random.Random(seed)
    while True:
        yield source.randint(1, most)


def windows_of(rows):
    """Windows as the table shows them at the end, as rows of windows.csv."""
    totals = {}
    for row in rows:
        start = row.time - row.time % HOUR
        key = (row.event["customer_id"], start)
        count, total, latest = totals.get(key, (0, decimal.Decimal("0.00"), row.time))
        totals[key] = (count + 1, total + row.event["order_total"], max(latest, row.time))
    return [[str(customer), to_text(start), to_text(start + HOUR), str(count), str(total), to_text(latest)]
            for (customer, start), (count, total, latest) in sorted(totals.items())]


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def run_generator(*arguments, **settings):
    return subprocess.run([GENERATOR, *map(str, arguments)], capture_output=True, text=True, **settings)


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "orders.ndjson"
        self.answer = self.folder / "answer"

    def generate(self, *arguments, warns=False):
        done = run_generator("--output", self.output, "--answer", self.answer, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual("warning" in done.stderr, warns, done.stderr)
        return read_rows(self.output)

    def counts(self):
        return json.loads((self.answer / "counts.json").read_text())


class AnswerAgreesWithTheModel(InTemporaryFolder):
    def check_answer(self, rows, batch_rows):
        late = [int(line) for line, *_ in read_csv(self.answer / "late.csv")[1:]]
        cuttings = [always(1), always(7), always(batch_rows // 5), always(batch_rows - 1), always(batch_rows),
                    any_up_to(batch_rows, seed=1)]
        paid_times = [row.time if row.event and row.event["status"] == "paid" else None for row in rows]
        for sizes in cuttings:
            for lag in (1, 2):
                found, watermark = late_lines(paid_times, sizes, lag)
                self.assertEqual(found, late)
        self.check_files(rows, set(late), watermark)

    def check_files(self, rows, late, watermark):
        valid = [row for row in rows if row.event]
        paid = [row for row in valid if row.event["status"] == "paid"]
        in_time = [row for row in paid if row.line not in late]
        windows = windows_of(in_time)

        self.assertEqual(read_csv(self.answer / "windows.csv"),
                         [["customer_id", "window_start", "window_end", "paid_order_count", "paid_order_total",
                           "latest_event_time"]] + windows)
        self.assertEqual(read_csv(self.answer / "late.csv"),
                         [["line", "offset", *FIELDS, "window_start", "window_end"]] +
                         [[str(row.line), str(row.offset), *(str(row.event[name]) for name in FIELDS),
                           to_text(row.time - row.time % HOUR), to_text(row.time - row.time % HOUR + HOUR)]
                          for row in paid if row.line in late])
        self.assertEqual(read_csv(self.answer / "invalid.csv"),
                         [["line", "offset", "reason", "field"]] +
                         [[str(row.line), str(row.offset), row.reason, row.field] for row in rows if row.reason])
        reasons = collections.Counter(row.reason for row in rows if row.reason)
        self.assertEqual(self.counts(), {
            "rows": len(rows), "valid": len(valid), "invalid": len(rows) - len(valid),
            "reasons": {reason: reasons[reason] for reason in REASONS},
            "filtered": len(valid) - len(paid), "late": len(late), "aggregated": len(in_time), "windows": len(windows),
            "final_watermark": to_text(watermark)})

    def check_amounts(self, rows, invalid, late, unpaid):
        counts = self.counts()
        self.assertEqual((len(rows), counts["invalid"], counts["late"], counts["filtered"]),
                         (60_000, invalid, late, unpaid))
        of_reasons = counts["reasons"].values()
        self.assertLessEqual(max(of_reasons) - min(of_reasons), 1)

    def test_plain_rows(self):
        rows = self.generate("--rows", 60_000, "--batch-rows", 5_000)
        self.check_amounts(rows, invalid=600, late=300, unpaid=15_000)
        self.check_answer(rows, 5_000)

    def test_rows_of_every_layout(self):
        rows = self.generate("--rows", 60_000, "--batch-rows", 5_000, "--seed", 2, "--shuffled-keys", "--extra-fields",
                             "--escapes", 0.2, "--skew", "zipf", "--invalid", 0.05, "--decoy-times")
        self.check_amounts(rows, invalid=3_000, late=300, unpaid=15_000)
        self.check_answer(rows, 5_000)

    def test_many_late_and_out_of_order_rows_in_few_hours(self):
        rows = self.generate("--rows", 60_000, "--batch-rows", 5_000, "--seed", 3, "--hours", 5, "--late", 0.1,
                             "--out-of-order", 0.5, "--out-of-order-max", 14, "--skew", "half", "--unpaid", 0.1,
                             "--decoy-times")
        self.check_amounts(rows, invalid=600, late=6_000, unpaid=6_000)
        self.check_answer(rows, 5_000)

    def test_most_rows_are_invalid(self):
        rows = self.generate("--rows", 60_000, "--batch-rows", 5_000, "--seed", 4, "--invalid", 0.9, "--unpaid", 0.05,
                             "--late", 0.02, "--customers", 3, "--hours", 200)
        self.check_amounts(rows, invalid=54_000, late=1_200, unpaid=3_000)
        self.check_answer(rows, 5_000)

    def test_too_few_rows_for_late_ones(self):
        rows = self.generate("--rows", 15_001, "--batch-rows", 5_000, warns=True)
        self.assertEqual(self.counts()["late"], 0)
        self.check_answer(rows, 5_000)

    def test_places_for_some_of_the_late_rows(self):
        rows = self.generate("--rows", 15_011, "--batch-rows", 5_000, warns=True)
        self.assertEqual(self.counts()["late"], 10)
        self.check_answer(rows, 5_000)

    def test_one_row(self):
        rows = self.generate("--rows", 1)
        self.assertEqual(self.counts()["aggregated"], 1)
        self.check_answer(rows, 100)

    def test_no_row_moves_the_watermark(self):
        for shares in (("--invalid", 1, "--unpaid", 0), ("--invalid", 0.5, "--unpaid", 0.5)):
            rows = self.generate("--rows", 333, "--late", 0, *shares)
            self.assertEqual(self.counts()["final_watermark"], "1970-01-01T00:00:00.000000Z")
            self.check_answer(rows, 100)


class RowsAreAsAskedFor(InTemporaryFolder):
    def test_share_of_escapes_is_exact(self):
        self.generate("--rows", 10_000, "--batch-rows", 1_000, "--escapes", 0.3)
        escaped = re.findall(rb'^\{"event_id":"[^"]*\\.*', self.output.read_bytes(), re.MULTILINE)
        self.assertEqual(len(escaped), 3_000)

    def test_out_of_order_rows_lie_back_by_the_maximum_at_most(self):
        rows = self.generate("--rows", 20_000, "--late", 0, "--out-of-order", 0.2, "--out-of-order-max", 3)
        greatest, distances = 0, []
        for row in rows:
            if row.event:
                distances.append(greatest - row.time)
                greatest = max(greatest, row.time)
        self.assertTrue(2.9 * 60_000_000 < max(distances) <= 3 * 60_000_000)
        # some are set back by so little that they overtake nobody
        self.assertTrue(3_700 < sum(distance > 0 for distance in distances) <= 4_000)

    def test_all_rows_in_order(self):
        rows = self.generate("--rows", 5_000, "--late", 0, "--out-of-order", 0)
        times = [row.time for row in rows if row.event]
        self.assertEqual(times, sorted(times))

    def customers(self, *arguments):
        rows = self.generate("--rows", 20_000, "--customers", 50, "--late", 0, "--invalid", 0, *arguments)
        return collections.Counter(row.event["customer_id"] for row in rows)

    def test_half_gives_one_customer_half_of_the_rows(self):
        customers = self.customers("--skew", "half")
        self.assertEqual(customers[1], 10_000)
        self.assertEqual(set(customers), set(range(1, 51)))

    def test_zipf_gives_the_second_customer_half_of_what_the_first_has(self):
        customers = self.customers("--skew", "zipf")
        self.assertAlmostEqual(customers[1] / customers[2], 2, delta=0.15)
        self.assertAlmostEqual(customers[1] / customers[10], 10, delta=1.5)

    def test_uniform_gives_all_customers_about_the_same(self):
        customers = self.customers()
        self.assertEqual(len(customers), 50)
        self.assertTrue(all(300 < count < 500 for count in customers.values()), customers)


class SameSeed(InTemporaryFolder):
    ALL = ["--rows", 3_000, "--batch-rows", 300, "--escapes", 0.1, "--shuffled-keys", "--extra-fields",
           "--skew", "zipf", "--invalid", 0.1, "--decoy-times"]

    def digest(self, *arguments):
        self.generate(*arguments)
        whole = hashlib.sha256(self.output.read_bytes())
        for name in ("windows.csv", "late.csv", "invalid.csv", "counts.json"):
            whole.update((self.answer / name).read_bytes())
        return whole.hexdigest()

    def test_gives_the_same_bytes(self):
        self.assertEqual(self.digest(*self.ALL), self.digest(*self.ALL))
        self.assertNotEqual(self.digest(*self.ALL), self.digest(*self.ALL, "--seed", 2))

    def test_gives_the_same_bytes_on_every_machine(self):
        # pinned: a change of the generator changes it, a compiler or a platform must not
        self.assertEqual(self.digest(*self.ALL), "02ce63b3f333864e79b43ba641e153616b83ef74becbb182f21c87cf4d36f85a")

    def test_gives_the_same_orders_in_another_layout(self):
        arguments = ["--rows", 3_000, "--batch-rows", 300]
        self.generate(*arguments)
        windows = read_csv(self.answer / "windows.csv")
        late = [row[:1] + row[2:] for row in read_csv(self.answer / "late.csv")]
        self.generate(*arguments, "--shuffled-keys", "--extra-fields")
        self.assertEqual(read_csv(self.answer / "windows.csv"), windows)
        self.assertEqual([row[:1] + row[2:] for row in read_csv(self.answer / "late.csv")], late)


class Failures(InTemporaryFolder):
    def assert_fails(self, done, code, text):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, r"\Agenerate_orders: .*\.\n\Z")
        self.assertIn(text, done.stderr)

    def test_options_out_of_range(self):
        cases = [(["--rows", 0], "--rows"), (["--rows", -5], "--rows"), (["--rows", "many"], "--rows"),
                 (["--customers", 0], "--customers"), (["--hours", 0], "--hours"),
                 (["--batch-rows", 0], "--batch-rows"),
                 (["--out-of-order-max", 15], "--out-of-order-max"), (["--invalid", 1.5], "--invalid"),
                 (["--late", -0.1], "--late"), (["--escapes", "nan"], "--escapes"), (["--skew", "steep"], "--skew"),
                 (["--invalid", 0.6, "--unpaid", 0.5], "more than 1"), (["--colour"], "--colour"),
                 (["--batch-rows", 1, "--rows", 100, "--invalid", 0.5, "--unpaid", 0.4, "--late", 0.1], "paid row")]
        for arguments, text in cases:
            with self.subTest(arguments=arguments):
                self.assert_fails(run_generator("--output", self.output, *arguments), 2, text)
                self.assertFalse(self.output.exists())

    def test_no_output_named(self):
        self.assert_fails(run_generator("--rows", 5), 2, "--output")

    def test_folder_of_the_output_does_not_exist(self):
        self.assert_fails(run_generator("--output", self.folder / "none" / "orders.ndjson"), 1, "none/orders.ndjson")

    def test_answer_is_a_file(self):
        self.answer.write_text("")
        self.assert_fails(run_generator("--output", self.output, "--answer", self.answer), 1, "answer")
        self.assertFalse(self.output.exists())

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_device_without_room(self):
        self.assert_fails(run_generator("--rows", 10, "--output", "/dev/full"), 1, "No space left on device")

    def test_file_that_cannot_grow_leaves_the_old_one(self):
        self.output.write_text("old")

        def limit_file_size():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        # without restore_signals the signal that comes with the limit stays ignored, and the write fails instead
        done = run_generator("--rows", 10_000, "--late", 0, "--output", self.output, "--answer", self.answer,
                             preexec_fn=limit_file_size, restore_signals=False)
        self.assert_fails(done, 1, "orders.ndjson")
        self.assertEqual(self.output.read_text(), "old")
        self.assertEqual([path.name for path in self.folder.rglob("*") if path.is_file()], ["orders.ndjson"])


class Comparison(InTemporaryFolder):
    """compare_orders.py over tables as the engine writes them."""

    def setUp(self):
        super().setUp()
        rows = self.generate("--rows", 5_000, "--batch-rows", 500, "--escapes", 0.5, "--invalid", 0.02)
        lines = self.output.read_bytes().split(b"\n")
        self.path = self.folder / "orders.db"
        self.database = sqlite3.connect(self.path, isolation_level=None)
        self.database.execute("PRAGMA synchronous = OFF")
        self.addCleanup(self.database.close)
        self.database.executescript("""
            CREATE TABLE customer_order_windows (
              customer_id INTEGER, window_start TEXT, window_end TEXT,
              paid_order_count INTEGER, paid_order_total TEXT, latest_event_time TEXT);
            CREATE TABLE late_order_events (
              event_event_id TEXT, event_order_id INTEGER, event_customer_id INTEGER, event_order_total TEXT,
              event_status TEXT, event_event_time TEXT, watermark TEXT, window_start TEXT, window_end TEXT,
              reason TEXT, split TEXT, position INTEGER);
            CREATE TABLE rejected_order_events (
              split TEXT, position INTEGER, code TEXT, field TEXT, reason TEXT, violations TEXT, payload BLOB,
              observed_time TEXT, pipeline TEXT, contract TEXT);
        """)
        late = {int(line) for line, *_ in read_csv(self.answer / "late.csv")[1:]}
        paid = [row for row in rows if row.event and row.event["status"] == "paid"]
        self.insert("customer_order_windows", windows_of(row for row in paid if row.line not in late))
        self.insert("late_order_events", [self.late_record(row) for row in paid if row.line in late])
        self.insert("rejected_order_events",
                    [["orders.ndjson", row.offset, "", row.field, row.reason, "", lines[row.line - 1], "", "", ""]
                     for row in rows if row.reason])
        self.database.execute("VACUUM INTO ?", [str(self.folder / "untouched.db")])
        self.database.execute("ATTACH ? AS untouched", [str(self.folder / "untouched.db")])

    @staticmethod
    def late_record(row):
        start = row.time - row.time % HOUR
        event = [row.event[name] for name in FIELDS]
        event[FIELDS.index("order_total")] = str(row.event["order_total"])
        watermark = to_text(start + HOUR)
        return [*event, watermark, to_text(start), to_text(start + HOUR), "window_closed", "orders.ndjson", row.offset]

    def insert(self, table, rows):
        self.database.execute("BEGIN")
        self.database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
        self.database.execute("COMMIT")

    def compare(self, *arguments):
        return subprocess.run([sys.executable, COMPARE, self.path, self.answer, *arguments],
                              capture_output=True, text=True)

    def test_equal_tables(self):
        done = self.compare("--input", self.output)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\Aequal: 5000 rows, \d+ windows, 25 late, 100 rejected\n\Z")

    def test_every_difference_is_told(self):
        some = "WHERE rowid = (SELECT min(rowid) + 5 FROM {table})"
        changes = [
            ("customer_order_windows", "UPDATE {table} SET paid_order_count = 1000", "paid_order_count is 1000"),
            ("customer_order_windows", "UPDATE {table} SET paid_order_total = 1.5", "paid_order_total is '1.5'"),
            ("customer_order_windows", "UPDATE {table} SET window_end = window_start", "is missing"),
            ("customer_order_windows", "DELETE FROM {table}", "is missing"),
            ("customer_order_windows", "INSERT INTO {table} SELECT * FROM {table}", "more than once"),
            ("late_order_events", "DELETE FROM {table}", "is missing"),
            ("late_order_events", "UPDATE {table} SET position = position + 1", "is not expected"),
            ("late_order_events", "UPDATE {table} SET event_event_id = 'e'", "event_event_id is 'e'"),
            ("late_order_events", "UPDATE {table} SET watermark = window_start", "watermark is"),
            ("rejected_order_events", "UPDATE {table} SET reason = 'other'", "reason is 'other'"),
            ("rejected_order_events", "UPDATE {table} SET field = NULL", "field is None"),
            ("rejected_order_events", "UPDATE {table} SET payload = x'00'", "payload is"),
            ("rejected_order_events", "UPDATE {table} SET payload = CAST(payload AS TEXT)", "payload is '"),
        ]
        for table, change, text in changes:
            with self.subTest(change=change):
                self.database.execute(f"{change} {some}".format(table=table))
                done = self.compare("--input", self.output)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"{table}: ", done.stdout)
                self.assertIn(text, done.stdout)
                self.restore(table)
        self.assertEqual(self.compare("--input", self.output).returncode, 0)

    def restore(self, table):
        self.database.execute(f"DROP TABLE {table}")
        self.database.execute(f"CREATE TABLE {table} AS SELECT * FROM untouched.{table}")

    def test_ten_differences_are_shown(self):
        self.database.execute("DELETE FROM rejected_order_events")
        done = self.compare()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("is missing"), 10)
        self.assertIn("and 90 more", done.stdout)

    def test_table_that_does_not_exist(self):
        done = self.compare("--late-table", "nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no table nowhere", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_generate_orders.py GENERATOR [unittest options]")
    GENERATOR = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
