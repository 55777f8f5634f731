#!/usr/bin/env python3
"""random_cases.py FOLDER SEED COUNT [FIRST]: writes folders of random pipeline cases with the answers of
reference_model.py, from the one of number FIRST on. COUNT may be `all`: one of each shape.

The shapes of random_shapes.py, with random keys, times, delays, batch boundaries and restarts. The same seed gives the same
folders."""

import csv
import datetime
import json
import pathlib
import random
import shutil
import sys

from random_shapes import COLUMNS, REFERENCE, SHAPES, kinds_behind
from reference_model import Model

SECOND = 1_000_000
SIGNIFICANT_DIGITS = 9  # of what depends on the order of additions


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
    if kind == "rounded":
        return f"{value:.{SIGNIFICANT_DIGITS}g}"
    if kind == "bool":
        return "true" if value else "false"
    if kind == "list":
        return json.dumps(value, separators=(",", ":"))
    return str(value)


def random_row(random_numbers, shape, clock):
    time = max(0, clock + random_numbers.randint(-12 * SECOND, 2 * SECOND))
    time = shape["begin"] + (time - time % random_numbers.choice([1, 1000, SECOND, SECOND])) * shape["scale"]
    return {
        "id": random_numbers.choice(["a", "b", "c", "", "d" if "id" in shape["required"] else None]),
        "ts": None if shape["null_times"] and random_numbers.random() < 0.1 else time,
        "value": random_numbers.choice([None, random_numbers.randint(-100, 100), random_numbers.randint(-3, 3)]),
        "status": random_numbers.choice(["paid", "paid", "open", None]),
    }


def random_reference(random_numbers):
    return [{"id": random_numbers.choice(["a", "b", "c", "", None]), "value": random_numbers.choice([None, -50, 0, 50]),
             "name": random_numbers.choice(["x", "y", None])} for _ in range(random_numbers.choice([0, 2, 4]))]


def fill(case, shape, random_numbers):
    """Rows of each source by batch."""
    batches = random_numbers.randint(2, 7)
    clock, rows = 0, {}
    for source in case["sources"]:
        source["rows_per_batch"] = [random_numbers.choice([0, 1, 2, 3, 8]) for _ in range(batches)]
        rows[source["name"]] = []
    for batch in range(batches):
        clock += random_numbers.choice([0, 2, 5, 15]) * SECOND
        for source in case["sources"]:
            rows[source["name"]].append([random_row(random_numbers, shape, clock)
                                         for _ in range(source["rows_per_batch"][batch])])
    return batches, rows


def case_of(name, shape, random_numbers):
    case = {"case": name, "about": "random", "program": shape["program"], "columns": COLUMNS, "sources": [],
            "steps": shape["steps"], "output_mode": shape["mode"], "late_policy": "drop and count"}
    if shape["required"]:
        case["required"] = shape["required"]
    for i in range(shape["sources"]):
        source = {"name": f"in{i}", "file": f"in{i}.ndjson"}
        if shape["timed"]:
            source.update(event_time="ts",
                          watermark_delay_us=random_numbers.choice([0, 1, 5, 10]) * SECOND * shape["scale"])
        case["sources"].append(source)
    if shape["sources"] > 1:
        case["watermark_policy"] = random_numbers.choice(["min", "max"])
    if shape["looks_up"]:
        case["reference"] = {"name": "looked_up", "file": "looked_up.ndjson", "columns": REFERENCE}
    return case


def write_case(folder, name, shape, random_numbers):
    case = case_of(name, shape, random_numbers)
    batches, rows = fill(case, shape, random_numbers)
    case["restart_before_batch"] = sorted(random_numbers.sample(range(2, batches + 1), random_numbers.randint(0, batches - 1)))
    if random_numbers.random() < 0.2:
        case["no_data_batches"] = False
    references = []
    for batch in range(batches if shape["looks_up"] else 0):
        is_new = batch == 0 or random_numbers.random() < 0.5
        references.append(random_reference(random_numbers) if is_new else references[-1])

    model, place = Model(case), 0
    lines = {source["name"]: 0 for source in case["sources"]}
    kinds = kinds_behind(case)
    rounded = [column for column, kind in kinds.items() if kind == "rounded"]
    if rounded:
        case["significant_digits"] = {column: SIGNIFICANT_DIGITS for column in rounded}
    expected, case["watermark_after_us"], case["state_rows_after"] = [], [], []
    for batch in range(batches):
        given = {}
        for source in case["sources"]:
            given[source["name"]] = []
            for row in rows[source["name"]][batch]:
                place, lines[source["name"]] = place + 1, lines[source["name"]] + 1
                given[source["name"]].append({**row, "#": place, "@": source["name"], "line": lines[source["name"]]})
        for result in model.batch(given, references[batch] if references else ()):
            expected.append([batch + 1] + [text_of(result[column], kind) for column, kind in kinds.items()])
        case["watermark_after_us"].append(model.watermark)
        case["state_rows_after"].append(model.state_rows())
    case["late_lines"] = model.late if shape["sources"] > 1 else model.late["in0"]

    path = folder / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "case.json").write_text(json.dumps(case) + "\n")
    for source in case["sources"]:
        with (path / source["file"]).open("w") as file:
            for row in (row for batch in rows[source["name"]] for row in batch):
                file.write(json.dumps({**row, "ts": None if row["ts"] is None else text_of_time(row["ts"])}) + "\n")
    if references:
        (path / "looked_up.ndjson").write_text("".join(json.dumps(each) + "\n" for each in references))
    with (path / "expected.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["batch", *kinds])
        writer.writerows(expected)


def write_cases(folder, seed, first, count):
    names = list(SHAPES)
    for i in range(first, first + count):
        random_numbers = random.Random(f"{seed} {i}")
        shape = names[i % len(names)]
        write_case(folder, f"{shape}-{seed}-{i}", SHAPES[shape](random_numbers), random_numbers)


def main():
    folder, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    count = len(SHAPES) if sys.argv[3] == "all" else int(sys.argv[3])
    if folder.exists():
        shutil.rmtree(folder)
    write_cases(folder, seed, int(sys.argv[4]) if len(sys.argv) > 4 else 0, count)


if __name__ == "__main__":
    main()
