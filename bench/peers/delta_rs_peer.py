"""The work of bench/delta.cpp by delta-rs: the same rows, made by DuckDB from the same formulas, the same batches."""

import argparse
import os
import pathlib
import shutil
import time

import deltalake
import duckdb
import pyarrow

import data_sql
import protocol

HOUR = 3_600_000_000
KEY = ("customer_id", "window_start", "window_end")
TIMES = ("window_start", "window_end", "latest_event_time")


def parse():
    parser = argparse.ArgumentParser()
    add = parser.add_argument
    add("--work", required=True, choices=("append", "recent", "scattered", "small", "open"))
    add("--folder", default="")
    add("--input", default="")
    add("--compression", default="", choices=("", "zstd"))
    add("--rows", type=int, default=1_000_000)
    add("--times", type=int, default=100, help="rows of the table, as a multiple of those of a batch")
    add("--hours", type=int, default=10)
    add("--threads", type=int, default=1)  # it takes as many as there are cores
    return parser.parse_args()


class Rows:
    """bench/data/windows.hpp in SQL; `numbers` are those that values follow from."""

    def __init__(self, rows, customers):
        self.rows, self.customers, self.hours = rows, customers, rows // customers
        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")

    def make(self, numbers, customer, hour):
        start = f"{data_sql.JANUARY} + ({hour}) * {HOUR}"
        table = self.connection.sql(f"""SELECT (1 + {customer})::BIGINT AS customer_id,
          ({start})::BIGINT AS window_start, ({start} + {HOUR})::BIGINT AS window_end,
          (1 + h1 % 9)::BIGINT AS order_count,
          ((h2 % 1000000)::DECIMAL(18, 2) * 0.01::DECIMAL(2, 2))::DECIMAL(18, 2) AS order_total,
          ({start} + h3 % 3600 * 1000000 + h4 % 1000000)::BIGINT AS latest_event_time
          FROM {data_sql.numbers(numbers, [1, 2, 3, 4])}""").to_arrow_table()
        fields = [pyarrow.field(name, pyarrow.timestamp("us", "UTC") if name in TIMES else table.schema.field(name).type,
                                nullable=False) for name in table.column_names]
        return table.cast(pyarrow.schema(fields))

    def of_table(self, first, count):
        return self.make(f"{first}, {first + count}", f"i % {self.customers} * 7919 % {self.customers}",
                         f"i // {self.customers}")

    def recent(self, batch, size):
        first = self.rows + batch * size
        place = f"(i - {first})"
        customer = (f"({place} * 37 + {batch * 11}) % {self.customers} + "
                    f"CASE WHEN {place} % 10 = 0 THEN {self.customers} ELSE 0 END")
        hour = f"{self.hours} - CASE WHEN {place} % 20 = 1 THEN 2 ELSE 1 END"
        return self.make(f"{first}, {first + size}", customer, hour)

    def scattered(self, batch, size):
        first, step = self.rows + batch * size, self.rows // size
        number = f"((i - {first}) * {step} + {batch * 7 % step})"
        return self.make(f"{first}, {first + size}", f"{number} % {self.customers} * 7919 % {self.customers}",
                         f"{number} // {self.customers}")


class Table:
    def __init__(self, options):
        self.path = pathlib.Path(options.folder, "table")
        self.rows = Rows(options.rows * options.times, options.rows * options.times // options.hours)
        self.options = options
        self.properties = deltalake.WriterProperties(compression="ZSTD", compression_level=1) if options.compression else None
        self.batch = 0
        self.taken = []

    def clear(self):
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def append(self, rows):
        deltalake.write_deltalake(self.path, rows, mode="append", writer_properties=self.properties)

    def fill(self):
        self.clear()
        size = self.rows.rows // 10
        for number in range(10):
            self.append(self.rows.of_table(number * size, size))
        self.table = deltalake.DeltaTable(self.path)

    def merge(self, rows):
        # Not streamed, so that delta-rs leaves out files by the least and greatest keys of the source.
        merging = self.table.merge(rows, " AND ".join(f"target.{name} = source.{name}" for name in KEY),
                                   source_alias="source", target_alias="target", streamed_exec=False,
                                   writer_properties=self.properties)
        merging.when_matched_update_all().when_not_matched_insert_all().execute()

    def merge_batches(self, make, count):
        """Seconds of the merges alone."""
        begin = len(self.taken)
        for _ in range(count):
            rows = make(self.batch, self.options.rows)
            self.batch += 1
            since = time.perf_counter()
            self.merge(rows)
            self.taken.append(time.perf_counter() - since)
        return sum(self.taken[begin:])

    def result(self):
        """The digest of bench/support/digest.hpp."""
        row = "0"
        for column in ("customer_id", *TIMES[:2], "order_count", "order_total", TIMES[2]):
            value = f"CAST({column} * 100 AS BIGINT)" if column == "order_total" else f"CAST({column} AS BIGINT)"
            row = f"(({row} * 1000003 + {value} % 2147483647) % 2147483647)"
        table = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(self.path))
        sql = f"SELECT count(*) AS n, sum(h * h % 2147483647) AS s FROM (SELECT {row} AS h FROM t) AS hashed"
        read = pyarrow.table(table.execute(sql).read_all()).to_pylist()[0]
        answer = {"rows": read["n"], "checksum": read["s"], "reals": []}
        if self.taken:
            self.taken.sort()
            answer["median_ms"], answer["p99_ms"] = (1000 * self.taken[int(part * (len(self.taken) - 1))] for part in (0.5, 0.99))
        return answer


def appending(options):
    table = Table(options)
    rows = Rows(options.rows, options.rows // 10)
    size = options.rows // 10
    inputs = [rows.of_table(number * size, size) for number in range(10)]

    def run():
        table.clear()
        since = time.perf_counter()
        for each in inputs:
            table.append(each)
        return time.perf_counter() - since

    return run, table.result


def merging(options):
    table = Table(options)
    table.fill()
    make = table.rows.scattered if options.work == "scattered" else table.rows.recent
    return lambda: table.merge_batches(make, 100 if options.work == "small" else 1), table.result


def opening(options):
    files = []

    def run():
        since = time.perf_counter()
        files[:] = deltalake.DeltaTable(options.input).file_uris()
        return time.perf_counter() - since

    def result():
        numbers = [int(each[each.rindex("part-") + 11:][:12]) for each in files]
        return {"files": len(numbers), "checksum": sum(numbers)}

    return run, result


def main():
    options = parse()
    make = {"append": appending, "open": opening}.get(options.work, merging)
    protocol.serve(f"deltalake {deltalake.__version__}", *make(options))


if __name__ == "__main__":
    main()
    os._exit(0)  # deltalake may abort while the interpreter ends
