"""Results that do not fit are in quarantine exactly once: in one run, with a restart before every batch, and killed.

usage: test_rejected_results.py <rejecting_pipeline> [unittest arguments]
"""

import collections
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import unittest

PIPELINE = os.path.abspath(sys.argv[1])
ROWS, ROWS_PER_BATCH, WINDOW = 3000, 30, 10
GREATEST, DECIMAL_LIMIT = 2**63 - 1, 10**18  # the limit in hundredths
TABLES = ("priced", "windows", "totals", "rejected_priced", "rejected_windows", "rejected_totals")


def make_sales():
    """One sale a second. Some overflow alone, some with others of their window, some in the total of their account."""
    chance = random.Random(17)
    sales = []
    for second in range(ROWS):
        account = chance.randrange(5)
        price, amount, value = chance.randrange(1, 100), chance.randrange(1, 100), chance.randrange(10**6)
        if second % 211 == 40:
            price, amount = GREATEST // 7, 8
        if second % 97 < 5:
            account, value = 9, 4 * 10**17
        if second % 101 < 12:
            account = 7
        if second % 400 == 150:
            account, price, amount = 4, GREATEST - 50, 1  # too much for the total ...
        if second % 400 == 300:
            account, price, amount = 4, 50 - GREATEST, 1  # ... until it is taken back
        sales.append((account, price, amount, value, second))
    return sales


def moment(second):
    return "1970-01-01T%02d:%02d:%02d" % (second // 3600, second // 60 % 60, second % 60)


def as_line(sale):
    account, price, amount, value, second = sale
    return ('{"account":%d,"price":%d,"amount":%d,"value":%d.%02d,"time":"%sZ"}\n'
            % (account, price, amount, value // 100, value % 100, moment(second)))


def expected(sales):
    """What each table holds, by plain arithmetic; of rejected rows code, violations and payload."""
    tables = {table: [] for table in TABLES}
    windows = collections.defaultdict(list)
    for account, price, amount, value, second in sales:
        if price * amount > GREATEST:
            tables["rejected_priced"].append(("PMSTREAM480", "cost=overflow", {
                "account": account, "price": price, "amount": amount, "value": value, "time": second}))
        else:
            tables["priced"].append((account, price * amount))
        windows[second // WINDOW * WINDOW, account].append(value)
    for (start, account), values in windows.items():
        if start + WINDOW > sales[-1][4]:
            continue  # still open
        known = {"account": account, "window_start": start, "window_end": start + WINDOW, "sales": len(values)}
        if sum(values) >= DECIMAL_LIMIT:
            tables["rejected_windows"].append(("PMSTREAM481", "value=overflow", known))
        elif len(values) >= 9:
            known["value"] = sum(values)
            tables["rejected_windows"].append(("PMSTREAM482", "sales=constraint", known))
        else:
            tables["windows"].append((account, start, sum(values), len(values)))
    totals, shown, wrong = collections.Counter(), {}, set()
    for begin in range(0, len(sales), ROWS_PER_BATCH):
        batch = sales[begin:begin + ROWS_PER_BATCH]
        for account, price, *_ in batch:
            totals[account] += price
        for account in {sale[0] for sale in batch}:
            if abs(totals[account]) <= GREATEST:
                shown[account] = totals[account]
                wrong.discard(account)
            elif account not in wrong:
                wrong.add(account)
                tables["rejected_totals"].append(("PMSTREAM481", "price=overflow", {"account": account}))
    tables["totals"] = list(shown.items())
    return tables


def seconds(text):
    day, hour, minute, second = text[8:10], text[11:13], text[14:16], text[17:19]
    return ((int(day) - 1) * 24 + int(hour)) * 3600 + int(minute) * 60 + int(second)


def cents(text):
    whole, digits = str(text).split(".")
    return int(whole + digits)


def payload(blob):
    known = json.loads(blob, parse_float=str)
    for name in ("time", "window_start", "window_end"):
        if name in known:
            known[name] = seconds(known[name])
    if "value" in known:
        known["value"] = cents(known["value"])
    return known


def found(database):
    tables = {}
    with sqlite3.connect(database) as connection:
        for table in TABLES:
            if table.startswith("rejected"):
                rows = connection.execute(f"select code, violations, payload from {table}").fetchall()
                tables[table] = [(code, violations, payload(blob)) for code, violations, blob in rows]
        tables["priced"] = connection.execute("select account, cost from priced").fetchall()
        tables["totals"] = connection.execute("select account, price from totals").fetchall()
        rows = connection.execute("select account, window_start, value, sales from windows").fetchall()
        tables["windows"] = [(account, seconds(start), cents(value), sales) for account, start, value, sales in rows]
    return tables


def in_order(rows):
    return sorted(rows, key=repr) if rows and not isinstance(rows[0][-1], dict) else sorted(
        rows, key=lambda row: (row[0], row[1], sorted(row[2].items())))


class RejectedResults(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.sales = make_sales()
        (self.folder / "sales.ndjson").write_text("".join(map(as_line, self.sales)))

    def profile(self, **sections):
        lines = ["assets:", f"  sales: {{connector: file, path: {self.folder}/sales.ndjson}}"]
        lines += [f"  {table}: {{connector: sqlite, path: {self.folder}/sales.db}}" for table in TABLES]
        lines += [f"checkpoint: {self.folder}/checkpoint", f"limits: {{max_rows_per_trigger: {ROWS_PER_BATCH}}}"]
        lines += [f"{name}: {value}" for name, value in sections.items()]
        path = self.folder / "profile.yaml"
        path.write_text("\n".join(lines) + "\n")
        return path

    def run_once(self, *options, progress="json", **sections):
        return subprocess.run([PIPELINE, "run", "--profile", self.profile(**sections), "--progress", progress, *options],
                              capture_output=True, text=True, timeout=120)

    def assert_expected(self):
        right, got = expected(self.sales), found(self.folder / "sales.db")
        for table in TABLES:
            self.assertTrue(right[table], f"nothing tries {table}")
            self.assertEqual(in_order(got[table]), in_order(right[table]), table)
        with sqlite3.connect(self.folder / "sales.db") as connection:
            for table in TABLES[3:]:
                doubled = connection.execute(f"select split, position, observed_time from {table} group by 1, 2, 3 "
                                             "having count(*) > 1").fetchall()
                self.assertEqual(doubled, [], table)

    def test_in_one_run(self):
        done = self.run_once("--once")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_expected()
        summary = json.loads(done.stdout.splitlines()[-1])
        right = expected(self.sales)
        steps = {step["node"]: step for step in summary["steps"]}
        self.assertEqual(steps["price"]["invalid"], len(right["rejected_priced"]))
        self.assertEqual(steps["price"]["kept"], len(right["priced"]))
        self.assertEqual(steps["windows"]["rejected_results"], len(right["rejected_windows"]))
        self.assertEqual(steps["totals"]["rejected_results"], len(right["rejected_totals"]))
        self.assertEqual(summary["rejected_results"], len(right["rejected_windows"]) + len(right["rejected_totals"]))
        self.assertTrue(summary["balanced"])
        for line in done.stdout.splitlines():
            for step in json.loads(line)["steps"]:
                self.assertEqual(step["received"], step["filtered"] + step["late"] + step["invalid"] + step["duplicate"]
                                 + step["kept"])

    def test_with_a_restart_before_every_batch(self):
        for _ in range(2 * (ROWS // ROWS_PER_BATCH)):  # each may be followed by one without data
            done = self.run_once(trigger="once")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_expected()

    def test_killed_again_and_again(self):
        settings = self.profile()
        for kills in range(25):
            query = subprocess.Popen([PIPELINE, "run", "--profile", settings, "--progress", "json"],
                                     stdout=subprocess.PIPE, text=True)
            for _ in range(1 + kills % 4):
                query.stdout.readline()
            query.kill()  # wherever it is now
            query.communicate(timeout=60)
        done = self.run_once("--once")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(json.loads(done.stdout.splitlines()[-1])["rows_read"], 0, "nothing was left after the kills")
        self.assert_expected()

    def test_told_to_fail_it_fails_in_the_same_batch_again_and_goes_on_once_told_otherwise(self):
        for _ in range(2):
            done = self.run_once("--once", on_overflow="fail")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("PMSTREAM48", done.stderr)
        self.assertEqual(self.run_once("--once").returncode, 0)
        self.assert_expected()

    def test_the_summary_says_what_is_missing(self):
        done = self.run_once("--once", progress="none")
        right = expected(self.sales)
        self.assertIn(f"{len(right['rejected_windows'])} RESULTS REJECTED, in what reads windows.invalid", done.stdout)
        self.assertIn(f"{len(right['rejected_priced'])} ROWS REJECTED, in what reads price.invalid", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
