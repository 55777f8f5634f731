#!/usr/bin/env python3
"""Compares the tables that the customer orders pipeline left in SQLite with the answer that generate_orders wrote.

Exit code 0: all equal; 1: there are differences, the first ten of each table are printed; 2: something could not be
read.
"""

import argparse
import csv
import json
import pathlib
import sqlite3
import sys

SHOWN_PER_TABLE = 10

WINDOW_COLUMNS = ["customer_id", "window_start", "window_end",
                  "paid_order_count", "paid_order_total", "latest_event_time"]
EVENT_FIELDS = ["event_id", "order_id", "customer_id", "order_total", "status", "event_time"]
INTEGERS = {"line", "offset", "customer_id", "order_id", "paid_order_count"}


class CannotRead(Exception):
    """Its text is a sentence for the user."""


def read_answer(path):
    """Rows as dictionaries, with integers where the tables have integers."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return [{name: int(value) if name in INTEGERS else value for name, value in row.items()}
                    for row in csv.DictReader(file)]
    except OSError as problem:
        raise CannotRead(f"The answer {path} cannot be read: {problem.strerror}.") from problem


def read_table(database, table, columns):
    quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
    name = table.replace('"', '""')
    known = [row[1] for row in database.execute(f'PRAGMA table_info("{name}")')]
    if not known:
        raise CannotRead(f"The database has no table {table}.")
    # SQLite takes a quoted name that is no column for a text
    absent = [column for column in columns if column not in known]
    if absent:
        raise CannotRead(f"The table {table} has no column {', '.join(absent)}; it has {', '.join(known)}.")
    return database.execute(f'SELECT {quoted} FROM "{name}"').fetchall()


def sort_key(key):
    # a wrong type in a table must be reported, not stop the sorting
    return [(0, part, "") if isinstance(part, int) else (1, 0, str(part)) for part in key]


class Comparison:
    """Of one table with what it must hold, by key."""

    def __init__(self, table, key_columns, value_columns):
        self.table = table
        self.key_columns = key_columns
        self.value_columns = value_columns
        self.found = {}
        self.differences = []

    def named(self, key):
        return ", ".join(f"{column} {part}" for column, part in zip(self.key_columns, key))

    def add(self, key, sentence):
        self.differences.append((sort_key(key), f"{self.named(key)}: {sentence}"))

    def compare(self, expected, rows):
        """Takes key -> values and a list of (key, values)."""
        for key, values in rows:
            if key in self.found:
                self.add(key, "is there more than once")
            self.found[key] = values
        for key, values in expected.items():
            if key not in self.found:
                self.add(key, f"is missing; expected {dict(zip(self.value_columns, values))}")
                continue
            for column, right, actual in zip(self.value_columns, values, self.found[key]):
                # 1 and 1.0 are equal in Python
                if right != actual or type(right) is not type(actual):
                    self.add(key, f"{column} is {actual!r}, expected {right!r}")
        for key, values in self.found.items():
            if key not in expected:
                self.add(key, f"is not expected; it has {dict(zip(self.value_columns, values))}")

    def report(self):
        if not self.differences:
            return True
        print(f"{self.table}: {len(self.differences)} differences")
        for _, sentence in sorted(self.differences)[:SHOWN_PER_TABLE]:
            print(f"  {sentence}")
        if len(self.differences) > SHOWN_PER_TABLE:
            print(f"  and {len(self.differences) - SHOWN_PER_TABLE} more")
        return False


def compare_windows(database, table, answer):
    expected = {tuple(row[c] for c in WINDOW_COLUMNS[:3]): tuple(row[c] for c in WINDOW_COLUMNS[3:])
                for row in read_answer(answer / "windows.csv")}
    comparison = Comparison(table, WINDOW_COLUMNS[:3], WINDOW_COLUMNS[3:])
    comparison.compare(expected, [(row[:3], row[3:]) for row in read_table(database, table, WINDOW_COLUMNS)])
    return comparison


def compare_late(database, table, answer, final_watermark):
    answered = EVENT_FIELDS + ["window_start", "window_end"]
    columns = ["event_" + field for field in EVENT_FIELDS] + ["window_start", "window_end", "reason"]
    expected = {(row["offset"],): (*(row[name] for name in answered), "window_closed")
                for row in read_answer(answer / "late.csv")}
    comparison = Comparison(table, ["position"], columns)
    rows = read_table(database, table, ["position", "watermark"] + columns)
    comparison.compare(expected, [(row[:1], row[2:]) for row in rows])
    # which watermark it was depends on the batches, but not that it had closed the window
    for position, watermark, *_, window_end, _ in rows:
        if (position,) in expected and not str(window_end) <= str(watermark) <= final_watermark:
            comparison.add((position,),
                           f"watermark is {watermark!r}, expected one from {window_end} to {final_watermark}")
    return comparison


def payload_of(file, offset):
    file.seek(offset)
    return file.readline().rstrip(b"\n")


def compare_rejected(database, table, answer, input_path):
    expected = {(row["offset"],): (row["reason"], row["field"]) for row in read_answer(answer / "invalid.csv")}
    comparison = Comparison(table, ["position"], ["reason", "field"])
    rows = read_table(database, table, ["position", "reason", "field", "payload"])
    comparison.compare(expected, [(row[:1], row[1:3]) for row in rows])
    if input_path:
        try:
            with open(input_path, "rb") as file:
                for position, _, _, payload in rows:
                    if (position,) not in expected:
                        continue
                    line = payload_of(file, position)
                    if payload != line:
                        comparison.add((position,), f"payload is {payload!r}, expected {line!r}")
        except OSError as problem:
            raise CannotRead(f"The input {input_path} cannot be read: {problem.strerror}.") from problem
    return comparison


def read_counts(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise CannotRead(f"The answer {path} cannot be read: {problem.strerror}.") from problem


def open_database(path):
    if not path.is_file():
        raise CannotRead(f"There is no database {path}.")
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=pathlib.Path)
    parser.add_argument("answer", type=pathlib.Path, help="folder that generate_orders --answer wrote")
    parser.add_argument("--windows-table", default="customer_order_windows")
    parser.add_argument("--late-table", default="late_order_events")
    parser.add_argument("--rejected-table", default="rejected_order_events")
    parser.add_argument("--input", type=pathlib.Path, help="the events; rejected payloads are compared with its lines")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        counts = read_counts(arguments.answer / "counts.json")
        database = open_database(arguments.database)
        comparisons = [
            compare_windows(database, arguments.windows_table, arguments.answer),
            compare_late(database, arguments.late_table, arguments.answer, counts["final_watermark"]),
            compare_rejected(database, arguments.rejected_table, arguments.answer, arguments.input),
        ]
    except (CannotRead, sqlite3.Error) as problem:
        print(f"compare_orders: {problem}", file=sys.stderr)
        return 2
    equal = [comparison.report() for comparison in comparisons]
    if not all(equal):
        return 1
    windows, late, rejected = (len(comparison.found) for comparison in comparisons)
    print(f"equal: {counts['rows']} rows, {windows} windows, {late} late, {rejected} rejected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
