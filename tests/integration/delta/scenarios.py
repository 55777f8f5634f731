#!/usr/bin/env python3
"""scenarios.py SCENARIOS [unittest arguments]: delta-rs and DuckDB read tables that were optimized, evolved, cleaned,
deleted from and constrained. SCENARIOS is tests/integration/delta/scenarios.cpp. Without the referees, which tools/setup
installs, the test is skipped and says so."""

import decimal
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
try:
    import deltalake
    import duckdb
    import duckdb_extension_delta
    import pyarrow
except ImportError as missing:
    print(f"SKIPPED: there is no referee: {missing}; tools/setup installs them")
    sys.exit(77)

TEN_BATCHES = sorted([(k, k) for k in range(10)] + [(k + 100, -k) for k in range(10)])
NO_VALUE = {"price": None, "inner": None}


class Scenarios(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.duckdb = duckdb.connect()
        extension = glob.glob(os.path.join(os.path.dirname(duckdb_extension_delta.__file__), "**", "*.duckdb_extension"),
                              recursive=True)[0]
        cls.duckdb.execute(f"LOAD '{extension}'")

    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="etlantic-delta-")
        self.table = os.path.join(self.place, "table")

    def tearDown(self):
        shutil.rmtree(self.place)

    def written(self, scenario):
        """The rows as both referees read them, by key."""
        subprocess.run([PROGRAM, self.table, scenario], check=True)
        by_delta_rs = pyarrow.table(deltalake.QueryBuilder().register("t", deltalake.DeltaTable(self.table))
                                    .execute("SELECT * FROM t")).to_pylist()
        found = self.duckdb.execute(f"SELECT * FROM delta_scan('{self.table}')")
        names = [column[0] for column in found.description]
        by_duckdb = [dict(zip(names, row)) for row in found.fetchall()]
        rows = sorted(by_delta_rs, key=lambda row: row["k"])
        self.assertEqual(rows, sorted(by_duckdb, key=lambda row: row["k"]))
        return rows

    def data_files(self):
        return list(pathlib.Path(self.table).glob("*.parquet"))

    def test_optimized(self):
        self.assertEqual([(row["k"], row["n"]) for row in self.written("optimized")], TEN_BATCHES)
        self.assertEqual(len(self.data_files()), 1)
        self.assertEqual(deltalake.DeltaTable(self.table).history(1)[0]["operation"], "OPTIMIZE")

    def test_evolved(self):
        rows = self.written("evolved")
        self.assertEqual(rows[:-1], [{"k": k, "n": n, **NO_VALUE} for k, n in TEN_BATCHES])
        self.assertEqual(rows[-1], {"k": 200, "n": 70000, "price": decimal.Decimal("1.50"), "inner": {"word": "x"}})
        before = deltalake.DeltaTable(self.table, version=10)
        self.assertEqual([field.name for field in before.schema().fields], ["k", "n"])

    def test_cleaned_log(self):
        self.assertEqual([(row["k"], row["n"]) for row in self.written("cleaned_log")], TEN_BATCHES)
        commits = sorted(path.name for path in pathlib.Path(self.table, "_delta_log").glob("*.json"))
        self.assertEqual(commits[0], "00000000000000000008.json")
        self.assertEqual(deltalake.DeltaTable(self.table, version=9).version(), 9)

    def test_deleted_rows(self):
        self.assertEqual([(row["k"], row["n"]) for row in self.written("deleted_rows")], TEN_BATCHES[5:])

    def test_checked(self):
        rows = self.written("checked")
        self.assertEqual([row["k"] for row in rows], [1, 2])
        columns = pyarrow.schema([pyarrow.field("k", pyarrow.int64(), False), ("price", pyarrow.decimal128(9, 2)),
                                  pyarrow.field("currency", pyarrow.string(), False), ("note", pyarrow.string())])

        def append(k, price, currency, note):
            price = None if price is None else decimal.Decimal(price)
            row = {"k": k, "price": price, "currency": currency, "note": note}
            deltalake.write_deltalake(self.table, pyarrow.Table.from_pylist([row], columns), mode="append")

        append(3, "0.01", "EUR", "five5")
        append(4, None, "USD", None)
        for broken in ((0, "1.00", "EUR", "x"), (5, "0.00", "EUR", "x"), (5, "1.00", "GBP", "x"),
                       (5, "1.00", "EUR", "longer")):
            with self.subTest(broken):
                self.assertRaises(Exception, append, *broken)
        self.assertEqual(len(deltalake.QueryBuilder().register("t", deltalake.DeltaTable(self.table))
                             .execute("SELECT * FROM t").read_all()), 4)


if __name__ == "__main__":
    passed = unittest.main(argv=sys.argv[:1] + sys.argv[2:], exit=False, verbosity=1).result.wasSuccessful()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if passed else 1)  # Arrow's threads may abort a process that ends in the usual way
