#!/usr/bin/env python3
"""referees.py WRITER [--race COMMITS] [unittest arguments]: other implementations read the Delta tables that we wrote, and write to them
before we write again. WRITER is tests/integration/delta/writer.cpp.

--race: how many commits two writers of ours and delta-rs race for; 200 unless it is given.

The referees are delta-rs (deltalake) and DuckDB with its delta extension, which tools/setup installs; without them the
test is skipped and says so."""

import datetime
import decimal
import glob
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from written_tables import EPOCH, REGIONS, Writer, comparable, keys_of, merged, row_of  # noqa: E402

WRITER, *OPTIONS = sys.argv[1:]
WRITER = os.path.abspath(WRITER)
RACE = 200
if "--race" in OPTIONS:
    at = OPTIONS.index("--race")
    RACE = int(OPTIONS[at + 1])
    del OPTIONS[at:at + 2]
write = Writer(WRITER)
try:
    import deltalake
    import duckdb
    import duckdb_extension_delta
    import pyarrow
    import pyarrow.parquet
except ImportError as missing:
    print(f"SKIPPED: there is no referee: {missing}; tools/setup installs them")
    sys.exit(77)

def read_by_delta_rs(folder):
    return pyarrow.table(deltalake.QueryBuilder().register("t", deltalake.DeltaTable(folder)).execute("SELECT * FROM t")).to_pylist()


class DuckDb:
    def __init__(self):
        self.connection = duckdb.connect()
        extension = glob.glob(os.path.join(os.path.dirname(duckdb_extension_delta.__file__), "**", "*.duckdb_extension"),
                              recursive=True)[0]
        self.connection.execute(f"LOAD '{extension}'")

    def read(self, folder):
        query = f"SELECT * REPLACE (epoch_us(ts) AS ts) FROM delta_scan('{folder}')"
        found = self.connection.execute(query)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    def count(self, folder, condition):
        return self.connection.execute(f"SELECT count(*) FROM delta_scan('{folder}') WHERE {condition}").fetchone()[0]


class Referees(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.duckdb = DuckDb()

    def setUp(self):
        memory = pathlib.Path("/dev/shm")
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="etlantic-delta-", dir=memory if os.access(memory, os.W_OK) else None))
        self.table = str(self.place / "table")

    def tearDown(self):
        shutil.rmtree(self.place)

    def check(self, expected):
        """Both referees read the rows, and the statistics hold what the files hold."""
        expected = comparable(expected)
        self.assertEqual(comparable(read_by_delta_rs(self.table)), expected)
        self.assertEqual(comparable(self.duckdb.read(self.table)), expected)
        self.check_statistics()

    def check_statistics(self):
        files = deltalake.DeltaTable(self.table).file_uris()
        checked = 0
        for line in self.log_lines():
            if "add" not in line or not any(uri.endswith(line["add"]["path"]) for uri in files):
                continue
            if not line["add"].get("stats") or "etlantic" not in line["writer"]:
                continue
            statistics = json.loads(line["add"]["stats"], parse_float=decimal.Decimal)
            rows = pyarrow.parquet.ParquetFile(f"{self.table}/{line['add']['path']}").read().to_pylist()
            self.assertEqual(statistics["numRecords"], len(rows))
            self.assertEqual(line["add"]["size"], os.path.getsize(f"{self.table}/{line['add']['path']}"))
            for name in rows[0]:
                self.check_column(statistics, name, [row[name] for row in rows])
            checked += 1
        self.assertGreater(checked, 0)

    def check_column(self, statistics, name, values):
        if name == "pair":
            for inner in ("number", "word"):
                self.check_column({kind: statistics[kind].get(name, {}) for kind in ("nullCount", "minValues", "maxValues")},
                                  inner, [None if value is None else value[inner] for value in values])
            return
        present = [value for value in values if value is not None]
        self.assertEqual(statistics["nullCount"][name], len(values) - len(present), name)
        least, greatest = statistics["minValues"].get(name), statistics["maxValues"].get(name)
        if name in ("flag", "bytes", "list") or not present:
            self.assertIsNone(least)
        elif name == "ts":
            cut = lambda micros: (EPOCH + datetime.timedelta(milliseconds=micros)).strftime("%Y-%m-%dT%H:%M:%S.") + f"{micros % 1000:03d}Z"
            micros = [(value - EPOCH) // datetime.timedelta(microseconds=1) for value in present]
            self.assertEqual((least, greatest), (cut(min(micros) // 1000), cut(-(-max(micros) // 1000))))
        elif name in ("name", "colour", "region", "word"):
            self.assertEqual(least, min(present)[:32])
            self.assertEqual(greatest, max(present) if len(max(present)) <= 32 else max(present)[:32] + "\U0010ffff")
        elif name == "day":
            self.assertEqual((least, greatest), (str(min(present)), str(max(present))))
        elif name in ("ratio", "small"):
            self.assertEqual((float(least), float(greatest)), (min(present), max(present)))
        else:
            self.assertEqual((decimal.Decimal(least), decimal.Decimal(greatest)), (min(present), max(present)), name)

    def log_lines(self):
        for path in sorted(pathlib.Path(self.table, "_delta_log").glob("*.json")):
            writer = ""
            for line in path.read_text().splitlines():
                action = json.loads(line)
                if "commitInfo" in action:
                    writer = json.dumps(action["commitInfo"])
                yield {**action, "writer": writer}

    def newest_batch(self, query):
        return deltalake.DeltaTable(self.table).transaction_version(f"etlantic/{query}/rows")

    def test_appended(self):
        write(self.table, "q", 0, 3, 200, mode="append")
        self.check([row_of(key, batch) for batch in range(3) for key in keys_of(batch, 200)])
        self.assertEqual(self.newest_batch("q"), 2)

    def test_every_table_that_the_writer_lists(self):
        for scenario in write.scenarios():
            with self.subTest(scenario.name):
                self.table = str(self.place / scenario.name)
                scenario.write(write, self.table)
                self.check(scenario.rows())
                self.assertEqual(write.read(self.table), sorted((row["k"], row["batch"]) for row in scenario.rows()))
                self.assertEqual(self.newest_batch("q"), scenario.batches - 1)

    def test_schema(self):
        write(self.table, "q", 0, 1, 10)
        table = deltalake.DeltaTable(self.table)
        types = {field.name: (json.loads(field.to_json())["type"], field.nullable) for field in table.schema().fields}
        self.assertEqual(types["amount"], ("decimal(18,2)", True))
        self.assertEqual(types["ts"], ("timestamp", False))
        self.assertEqual((types["tiny"], types["short"], types["colour"]), (("byte", False), ("short", False), ("string", False)))
        self.assertEqual(types["list"][0]["elementType"], "long")
        self.assertEqual([field["name"] for field in types["pair"][0]["fields"]], ["number", "word"])
        described = self.duckdb.connection.execute(f"DESCRIBE SELECT * FROM delta_scan('{self.table}')").fetchall()
        duck = {name: kind for name, kind, *_ in described}
        self.assertEqual(duck["wide"], "DECIMAL(30,10)")
        self.assertEqual(duck["ts"], "TIMESTAMP WITH TIME ZONE")
        self.assertEqual(table.metadata().configuration["etlantic.primaryKey"], "k")

    def test_merged(self):
        write(self.table, "q", 0, 8, 150, rows_per_file=100)
        self.check(merged(*[(batch, 150) for batch in range(8)]))
        # The greatest time of a file is found although statistics are in milliseconds.
        for row in random.Random(1).sample(merged(*[(batch, 150) for batch in range(8)]), 20):
            self.assertEqual(self.duckdb.count(self.table, f"epoch_us(ts) = {row['ts']} AND ts >= make_timestamptz({row['ts']})"), 1)

    def test_long_texts_are_found_by_statistics(self):
        write(self.table, "q", 0, 4, 300, rows_per_file=50)
        for row in random.Random(2).sample(merged(*[(batch, 300) for batch in range(4)]), 20):
            name = row["name"].replace("'", "''")
            self.assertEqual(self.duckdb.count(self.table, f"name = '{name}'"), 1)

    def test_partitioned(self):
        write(self.table, "q", 0, 5, 150, partition_by="region,flag", rows_per_file=40)
        expected = merged(*[(batch, 150) for batch in range(5)])
        self.check(expected)
        for region in REGIONS:
            condition = "region IS NULL" if region is None else f"region = '{region}'"
            self.assertEqual(self.duckdb.count(self.table, condition), sum(row["region"] == region for row in expected))

    def test_checkpoint_without_the_older_log(self):
        write(self.table, "q", 0, 25, 60, rows_per_file=100, checkpoint_interval=10)
        self.assertTrue(os.path.exists(f"{self.table}/_delta_log/{20:020d}.checkpoint.parquet"))
        self.assertTrue(os.path.exists(f"{self.table}/_delta_log/{20:020d}.json"))
        for version in range(20):
            os.remove(f"{self.table}/_delta_log/{version:020d}.json")
        self.check(merged(*[(batch, 60) for batch in range(25)]))
        self.assertEqual(self.newest_batch("q"), 24)
        write(self.table, "q", 24, 2, 60)  # the first of them is there
        self.check(merged(*[(batch, 60) for batch in range(26)]))

    def test_others_write_and_we_write_again(self):
        write(self.table, "q", 0, 2, 200)
        rows = {row["k"]: row for row in merged((0, 200), (1, 200))}
        schema = deltalake.DeltaTable(self.table).schema().to_arrow()
        key = 5000
        more = {**row_of(7, 0), "k": key}
        table = deltalake.DeltaTable(self.table)
        deltalake.write_deltalake(table, self.arrow_of([more], schema), mode="append")
        rows[key] = more
        write(self.table, "q", 2, 1, 200)
        rows.update({k: row_of(k, 2) for k in keys_of(2, 200)})
        deltalake.DeltaTable(self.table).delete("k % 9 = 4")
        rows = {k: row for k, row in rows.items() if k % 9 != 4}
        write(self.table, "q", 3, 1, 200)
        rows.update({k: row_of(k, 3) for k in keys_of(3, 200)})
        deltalake.DeltaTable(self.table).optimize.compact()
        write(self.table, "q", 4, 1, 200)
        rows.update({k: row_of(k, 4) for k in keys_of(4, 200)})
        deltalake.DeltaTable(self.table).create_checkpoint()
        write(self.table, "q", 5, 1, 200)
        rows.update({k: row_of(k, 5) for k in keys_of(5, 200)})
        self.check(list(rows.values()))
        deltalake.DeltaTable(self.table).vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
        self.check(list(rows.values()))

    def arrow_of(self, rows, schema):
        stored = pyarrow.schema(schema)
        columns = []
        for field in stored:
            values = [row[field.name] for row in rows]
            if field.name == "ts":
                values = [EPOCH + datetime.timedelta(microseconds=value) for value in values]
            columns.append(pyarrow.array(values, field.type))
        return pyarrow.table(columns, schema=stored)

    def test_race(self):
        """Two of ours and delta-rs at full speed: no commit is lost, and none is there twice."""
        write(self.table, "q", 0, 1, 1)
        schema = deltalake.DeltaTable(self.table).schema().to_arrow()
        ours = RACE // 3
        others = RACE - 2 * ours
        since = time.monotonic()
        writers = [subprocess.Popen([WRITER, self.table, query, "0", str(ours), "3", "mode=append"], stderr=subprocess.PIPE,
                                    text=True) for query in ("a", "b")]
        one = self.arrow_of([row_of(1, 0)], schema)
        patient = deltalake.CommitProperties(max_commit_retries=1000)
        for _ in range(others):
            deltalake.write_deltalake(self.table, one, mode="append", commit_properties=patient)
        for process in writers:
            errors = process.communicate()[1]
            self.assertEqual((process.returncode, errors), (0, ""))
        taken = time.monotonic() - since
        versions = sorted(int(path.stem) for path in pathlib.Path(self.table, "_delta_log").glob("*.json"))
        self.assertEqual(versions, list(range(2 + RACE)))
        self.assertEqual(deltalake.DeltaTable(self.table).version(), 1 + RACE)
        self.assertEqual((self.newest_batch("a"), self.newest_batch("b")), (ours - 1, ours - 1))
        expected = [row_of(0, 0)] + [row_of(1, 0)] * others
        expected += 2 * [row_of(key, batch) for batch in range(ours) for key in keys_of(batch, 3)]
        self.assertEqual(comparable(read_by_delta_rs(self.table)), comparable(expected))
        self.assertEqual(write.read(self.table), sorted((row["k"], row["batch"]) for row in expected))
        print(f"race: {2 * ours} commits of ours and {others} of delta-rs in {taken:.1f} s, {len(expected)} rows, "
              f"versions 0 to {versions[-1]} without a hole", flush=True)


if __name__ == "__main__":
    # deltalake may abort while the interpreter ends; what counts is known before.
    result = unittest.main(argv=[sys.argv[0], *OPTIONS], exit=False).result
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if result.wasSuccessful() else 1)
