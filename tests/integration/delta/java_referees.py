#!/usr/bin/env python3
"""java_referees.py WRITER [unittest arguments]: Spark and Delta Kernel read the Delta tables that we wrote; Spark writes
to them, we read what it wrote and write again. WRITER is tests/integration/delta/writer.cpp.

Exit code 77, with the reason, where there is no Java, or nothing to fetch Spark with. Spark never writes at the same time
as we do: its own log is not safe on a local disk."""

import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import spark as referees  # noqa: E402
from written_tables import REGIONS, Writer, comparable, keys_of, row_of  # noqa: E402

WRITE = Writer(os.path.abspath(sys.argv[1]))
SCENARIOS = {each.name: each for each in WRITE.scenarios()}
APPLICATION = "etlantic/q/rows"


class JavaReferees(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        memory = pathlib.Path("/dev/shm")
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="etlantic-spark-", dir=memory if os.access(memory, os.W_OK) else None))
        cls.addClassCleanup(shutil.rmtree, cls.place)
        since = time.monotonic()
        cls.spark = referees.Spark(cls.place)
        cls.addClassCleanup(cls.spark.stop)
        cls.kernel = referees.Kernel(cls.spark)
        print(f"Spark {referees.SPARK} with Delta {referees.DELTA}: {time.monotonic() - since:.1f} s to start", flush=True)

    def written(self, name):
        folder = str(self.place / f"{self.id().rsplit('.', 1)[1]}-{name}")
        SCENARIOS[name].write(WRITE, folder)
        return folder

    def check(self, folder, expected, kernel=True):
        """Spark, Kernel and we read the same rows."""
        self.assertEqual(comparable(self.spark.read(folder)), comparable(expected))
        if kernel:
            plain = [{name: row[name] for name in self.kernel.GETTERS} for row in expected]
            self.assertEqual(comparable(self.kernel.read(folder)), comparable(plain))
        self.assertEqual(WRITE.read(folder), sorted((row["k"], row["batch"]) for row in expected))

    def test_every_table_is_read(self):
        for name, scenario in SCENARIOS.items():
            with self.subTest(name):
                folder = self.written(name)
                self.check(folder, scenario.rows())
                self.assertEqual(self.kernel.transaction(folder, APPLICATION), scenario.batches - 1)

    def test_the_schema_is_the_contract(self):
        types = self.spark.types(self.written("merged"))
        self.assertEqual(types["k"], ("bigint", False))
        self.assertEqual(types["amount"], ("decimal(18,2)", True))
        self.assertEqual(types["ts"], ("timestamp", False))
        self.assertEqual(types["day"], ("date", False))
        self.assertEqual((types["tiny"], types["short"]), (("tinyint", False), ("smallint", False)))
        self.assertEqual(types["pair"], ("struct<number:int,word:string>", True))
        self.assertEqual(types["list"], ("array<bigint>", True))

    def test_rows_are_found_where_files_are_left_out_by_statistics(self):
        folder, rows = self.written("merged"), SCENARIOS["merged"].rows()
        latest, longest = max(rows, key=lambda row: row["ts"]), max(rows, key=lambda row: len(row["name"]))
        quoted = longest["name"].replace("\\", "\\\\").replace("'", "\\'")
        counted = self.spark.sql(f"""SELECT count_if(ts = timestamp_micros({latest['ts']})), count_if(name = '{quoted}')
          FROM delta.`{folder}` WHERE ts >= timestamp_micros({latest['ts']}) OR name = '{quoted}'""")
        self.assertEqual(tuple(counted[0]), (1, 1))

    def test_each_partition_has_its_rows(self):
        folder, rows = self.written("partitioned"), SCENARIOS["partitioned"].rows()
        counted = self.spark.sql(f"SELECT region, flag, count(*) FROM delta.`{folder}` GROUP BY region, flag")
        for region, flag, count in counted:
            self.assertEqual(count, sum((row["region"], row["flag"]) == (region, flag) for row in rows), region)
        self.assertEqual({region for region, *_ in counted}, set(REGIONS))

    def test_spark_writes_and_we_write_again(self):
        for name in ("merged", "partitioned"):
            with self.subTest(name):
                self.take_turns(name)

    def take_turns(self, name):
        scenario, folder = SCENARIOS[name], self.written(name)
        rows = {row["k"]: row for row in scenario.rows()}
        table, turn = f"delta.`{folder}`", scenario.batches

        def we_write():
            nonlocal turn
            scenario.write(WRITE, folder, first=turn, batches=1)
            rows.update({key: row_of(key, turn) for key in keys_of(turn, scenario.rows_per_batch)})
            turn += 1

        added = [row_of(key, 77) for key in (5003, 5004, 5005)]
        self.spark.rows_of(folder, added).write.format("delta").mode("append").save(folder)
        rows.update({row["k"]: row for row in added})
        we_write()

        changed = [row_of(key, 78) for key in [*sorted(rows)[:4], 6001]]
        self.spark.rows_of(folder, changed).createOrReplaceTempView("changed")
        self.spark.sql(f"MERGE INTO {table} t USING changed s ON t.k = s.k "
                       "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
        rows.update({row["k"]: row for row in changed})
        we_write()

        self.spark.sql(f"DELETE FROM {table} WHERE k % 9 = 4")
        rows = {key: row for key, row in rows.items() if key % 9 != 4}
        we_write()

        self.spark.sql(f"OPTIMIZE {table}")
        self.assertEqual(WRITE.read(folder), sorted((row["k"], row["batch"]) for row in rows.values()))
        we_write()
        self.check(folder, list(rows.values()))
        self.assertEqual(self.kernel.transaction(folder, APPLICATION), turn - 1)


if __name__ == "__main__":
    try:
        referees.fetched()
    except referees.NotAvailable as reason:
        print(f"SKIPPED: neither Spark nor Delta Kernel: {reason}")
        sys.exit(77)
    result = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False).result
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if result.wasSuccessful() else 1)
