#!/usr/bin/env python3
"""random_cases.py FOLDER SEED COUNT [FIRST]: writes folders of random pipeline cases with the answers of
reference_model.py, from the one of number FIRST on. COUNT may be `all`: one of each shape.

Some shapes of pipelines, with random keys, times, delays, batch boundaries and restarts. The same seed gives the same folders."""

import csv
import datetime
import json
import pathlib
import random
import shutil
import sys

from reference_model import Model

SECOND = 1_000_000


def text_of_time(time):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=time)
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    return text + (f".{moment.microsecond:06d}" if moment.microsecond else "") + "Z"


def text_of(value, kind):
    if value is None:
        return "\\N"
    if kind == "timestamp":
        return text_of_time(value)
    if kind == "double":
        text = repr(float(value))
        return text[:-2] if text.endswith(".0") and value != 0 else text
    return str(value)


AGGREGATES = [{"fn": "count", "as": "count"}, {"fn": "sum", "of": "value", "as": "sum"},
              {"fn": "min", "of": "value", "as": "min"}, {"fn": "max", "of": "value", "as": "max"},
              {"fn": "avg", "of": "value", "as": "avg"}, {"fn": "latest", "of": "value", "as": "latest"},
              {"fn": "count", "of": "value", "as": "present"}]


def window(kind, keys, aggregates, random_numbers):
    step = {"op": "window", "kind": kind, "keys": keys, "aggregates": aggregates}
    if kind == "session":
        step["gap_us"] = random_numbers.choice([1, 3, 7]) * SECOND
    else:
        step["size_us"] = random_numbers.choice([4, 5, 10]) * SECOND
    if kind == "sliding":
        step["slide_us"] = random_numbers.choice([1, 2, 3, 4]) * SECOND
    return step


# Each shape is one program; what is random in it is data and durations.
def shapes(random_numbers):
    def tumbling(keys=("key",), aggregates=AGGREGATES):
        return window("tumbling", list(keys), aggregates, random_numbers)

    def sliding(keys=("key",), aggregates=AGGREGATES):
        return window("sliding", list(keys), aggregates, random_numbers)

    def session(keys=("key",), aggregates=AGGREGATES):
        return window("session", list(keys), aggregates, random_numbers)

    count = AGGREGATES[:1]
    sum_of_counts = [{"fn": "count", "as": "windows"}, {"fn": "sum", "of": "count", "as": "total"}]
    only_paid = {"op": "filter", "column": "status", "equals": "paid"}

    def dedup(*keys, within=False):
        return {"op": "dedup", "keys": list(keys), "within_watermark": within}

    def outer(step):
        return {**step, "size_us": random_numbers.choice([20, 30]) * SECOND, "offset_us": 0, "keys": [],
                "aggregates": sum_of_counts}

    def join(kind, time=None):
        step = {"op": "join", "type": kind, "keys": ["key"]}
        if time == "range":
            step["right_ts_minus_left_ts"] = {
                "min_us": random_numbers.choice([-7, -3, 0]) * SECOND, "min_inclusive": True,
                "max_us": random_numbers.choice([0, 2, 5]) * SECOND, "max_inclusive": True}
        elif time == "window":
            step["same_tumbling_window_us"] = random_numbers.choice([2, 5, 10]) * SECOND
        elif time == "equal":
            step["time"] = "left.ts = right.ts"
        return step

    joins = {f"{kind}_join_by_{time}": ([join(kind, time)], "append", 2)
             for kind in ("inner", "left", "right", "full") for time in ("range", "window", "equal")}
    return {
        **joins,
        "unbounded_join": ([join("inner")], "append", 2),
        "tumbling_append": ([tumbling()], "append", 1),
        "tumbling_update": ([tumbling()], "update", 1),
        "tumbling_complete": ([tumbling()], "complete", 1),
        "tumbling_of_two": ([tumbling()], "append", 2),
        "sliding_append": ([sliding()], "append", 1),
        "sliding_update": ([sliding()], "update", 1),
        "session_append": ([session()], "append", 1),
        "session_complete": ([session()], "complete", 1),
        "session_of_three": ([session()], "append", 3),
        "filtered_sessions": ([only_paid, session()], "append", 1),
        "filtered_windows": ([only_paid, tumbling()], "append", 2),
        "by_time_append": ([{"op": "group", "keys": ["ts", "key"], "aggregates": AGGREGATES[:5]}], "append", 1),
        "by_key_update": ([{"op": "group", "keys": ["key"], "aggregates": AGGREGATES}], "update", 1),
        "by_key_complete": ([{"op": "group", "keys": ["key"], "aggregates": AGGREGATES}], "complete", 2),
        "dedup_by_time": ([dedup("key", "ts")], "append", 1),
        "dedup_of_two": ([dedup("key", "ts")], "append", 2),
        "dedup_within": ([dedup("key", within=True)], "append", 1),
        "dedup_for_ever": ([dedup("key")], "append", 1),
        "dedup_into_windows": ([dedup("key", "ts"), tumbling()], "append", 1),
        "dedup_into_sessions": ([dedup("key", "ts"), session()], "append", 2),
        "windows_of_windows": ([tumbling(aggregates=count), outer(tumbling())], "append", 1),
        "windows_of_sessions": ([session(aggregates=count), outer(tumbling())], "append", 1),
    }


COLUMNS = {"key": "string", "ts": "timestamp", "value": "int64", "status": "string"}


def random_row(random_numbers, clock):
    time = max(0, clock + random_numbers.randint(-12 * SECOND, 2 * SECOND))
    return {
        "key": random_numbers.choice(["a", "b", "c", "", None]),
        "ts": time - time % random_numbers.choice([1, 1000, SECOND, SECOND]),
        "value": random_numbers.choice([None, random_numbers.randint(-100, 100)]),
        "status": random_numbers.choice(["paid", "paid", "open", None]),
    }


def fill(case, random_numbers):
    """Rows of each source by batch."""
    batches = random_numbers.randint(2, 7)
    clock, rows = 0, {}
    for source in case["sources"]:
        source["rows_per_batch"] = [random_numbers.choice([0, 1, 2, 3, 8]) for _ in range(batches)]
        rows[source["name"]] = []
    for batch in range(batches):
        clock += random_numbers.choice([0, 2, 5, 15]) * SECOND
        for source in case["sources"]:
            rows[source["name"]].append([random_row(random_numbers, clock) for _ in range(source["rows_per_batch"][batch])])
    return batches, rows


def columns_of(case):
    kinds, columns = dict(COLUMNS), list(COLUMNS)
    for step in case["steps"]:
        if step["op"] == "join":
            columns = [f"{side}_{name}" for side in ("left", "right") for name in COLUMNS]
            kinds = {f"{side}_{name}": kind for side in ("left", "right") for name, kind in COLUMNS.items()}
        if step["op"] not in ("window", "group"):
            continue
        columns = list(step["keys"])
        if step["op"] == "window":
            columns += ["window_start", "window_end"]
            kinds["window_start"] = kinds["window_end"] = "timestamp"
        for each in step["aggregates"]:
            columns.append(each["as"])
            kinds[each["as"]] = "double" if each["fn"] == "avg" else "int64"
    return columns, kinds


def write_case(folder, name, steps, mode, sources, random_numbers):
    case = {"case": name, "about": "random", "columns": COLUMNS, "sources": [], "steps": steps, "output_mode": mode,
            "late_policy": "drop and count"}
    for i in range(sources):
        case["sources"].append({"name": f"in{i}", "file": f"in{i}.ndjson", "event_time": "ts",
                                "watermark_delay_us": random_numbers.choice([0, 1, 5, 10]) * SECOND})
    if sources > 1:
        case["watermark_policy"] = random_numbers.choice(["min", "max"])
    batches, rows = fill(case, random_numbers)
    case["restart_before_batch"] = sorted(random_numbers.sample(range(2, batches + 1), random_numbers.randint(0, batches - 1)))
    if random_numbers.random() < 0.2:
        case["no_data_batches"] = False

    model, place = Model(case), 0
    lines = {source["name"]: 0 for source in case["sources"]}
    columns, kinds = columns_of(case)
    expected, case["watermark_after_us"], case["state_rows_after"] = [], [], []
    for batch in range(batches):
        given = {}
        for source in case["sources"]:
            given[source["name"]] = []
            for row in rows[source["name"]][batch]:
                place, lines[source["name"]] = place + 1, lines[source["name"]] + 1
                given[source["name"]].append({**row, "#": place, "@": source["name"], "line": lines[source["name"]]})
        for result in model.batch(given):
            expected.append([batch + 1] + [text_of(result[column], kinds[column]) for column in columns])
        case["watermark_after_us"].append(model.watermark)
        case["state_rows_after"].append(model.state_rows())
    case["late_lines"] = model.late if sources > 1 else model.late["in0"]

    path = folder / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "case.json").write_text(json.dumps(case) + "\n")
    for source in case["sources"]:
        with (path / source["file"]).open("w") as file:
            for row in (row for batch in rows[source["name"]] for row in batch):
                file.write(json.dumps({**row, "ts": text_of_time(row["ts"])}) + "\n")
    with (path / "expected.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["batch", *columns])
        writer.writerows(expected)


def write_cases(folder, seed, first, count):
    for i in range(first, first + count):
        random_numbers = random.Random(f"{seed} {i}")
        made = shapes(random_numbers)
        shape = list(made)[i % len(made)]
        steps, mode, sources = made[shape]
        write_case(folder, f"{shape}-{seed}-{i}", steps, mode, sources, random_numbers)


def main():
    folder, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    count = len(shapes(random)) if sys.argv[3] == "all" else int(sys.argv[3])
    if folder.exists():
        shutil.rmtree(folder)
    write_cases(folder, seed, int(sys.argv[4]) if len(sys.argv) > 4 else 0, count)


if __name__ == "__main__":
    main()
