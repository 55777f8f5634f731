"""How long a row takes from where it is produced to where it is seen: bench/latency.cpp with a broker of its own."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import machine
import prepare
import run

RESULTS = prepare.root / "bench" / "latency.json"
# What the broker writes is in memory, so that its disk is another one than that of the checkpoint.
MEMORY = pathlib.Path("/dev/shm")
GOALS = {"p50": 2.0, "p99": 5.0}


def parse(words):
    parser = argparse.ArgumentParser(
        prog="bench latency",
        description="Measures a query with the trigger low_latency and a checkpoint: from the time at which a record is "
        "produced into Kafka to the commit that makes its row visible in a sink in memory. Prints a histogram, and writes it "
        "as JSON. Needs Java 17 and, the first time, Maven.")
    add = parser.add_argument
    add("--rate", type=int, default=50_000, help="records in a second; 50000 unless given")
    add("--seconds", type=int, default=10, help="that count; 10 unless given")
    add("--warm-up", type=int, default=10, help="seconds before those, in which the broker is compiled; 10 unless given")
    add("--partitions", type=int, default=1)
    add("--librdkafka", action="append", default=[], metavar="NAME=VALUE", help="a setting of the reading client")
    add("--producer", action="append", default=[], metavar="NAME=VALUE",
        help="a setting of the producing client; linger.ms=0.5 and max.in.flight=1 unless given")
    add("--programs", type=pathlib.Path, help="where the built programs lie; they are built unless it is given")
    add("--folder", type=pathlib.Path, help="for the checkpoint; a temporary one unless given")
    add("--output", type=pathlib.Path, default=RESULTS, help="bench/latency.json unless given")
    return parser.parse_args(words)


def difference(measured):
    """What was seen that is not what was produced; None if it is the same."""
    produced, seen = measured["produced"], measured["seen"]
    if (produced["rows"], produced["checksum"]) == (seen["rows"], seen["checksum"]):
        return None
    return (f"{produced['rows']} records were produced (checksum {produced['checksum']}), "
            f"and {seen['rows']} rows were seen (checksum {seen['checksum']})")


def bars(histogram):
    most = max(each["rows"] for each in histogram)
    return "\n".join(f"{each['below_ms']:10.2f} ms {each['rows']:9} {'#' * round(60 * each['rows'] / most)}"
                     for each in histogram)


def text_of(measured):
    lines = [f"{measured['rows']} rows at {measured['rate']} a second, {measured['batches']} batches, "
             f"load {measured['machine']['load']:.1f}",
             "mean of a batch: " + ", ".join(f"{part} {value:.2f} ms"
                                             for part, value in measured["batch_milliseconds"].items()),
             bars(measured["histogram"])]
    for name, value in measured["milliseconds"].items():
        goal = f"  goal {GOALS[name]:.0f} {'reached' if value <= GOALS[name] else 'SHORT'}" if name in GOALS else ""
        lines.append(f"{name:>6} {value:10.3f} ms{goal}")
    return "\n".join(lines)


def main(words):
    given = parse(words)
    programs = given.programs or prepare.build()
    with (tempfile.TemporaryDirectory(dir=given.folder, prefix="etlantic-latency-") as folder,
          tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.exists() else given.folder) as log):
        places = run.Places(programs, {}, pathlib.Path(log))
        try:
            command = [programs / "latency", "--brokers", places.brokers(run.broker.FULL_SPEED), "--topic", "ticks", "--folder", folder]
            for name in ("rate", "seconds", "warm_up", "partitions"):
                command += [f"--{name.replace('_', '-')}", str(getattr(given, name))]
            for client in ("librdkafka", "producer"):
                for setting in getattr(given, client):
                    command += [f"--{client}", setting]
            about = machine.describe(False)
            done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        except run.Skipped as reason:
            print(f"bench: latency is skipped: {reason}", file=sys.stderr)
            return 77
        finally:
            places.close()
    if done.returncode != 0:
        return 1
    about["load"] = max(about["load"], os.getloadavg()[0])
    measured = {**json.loads(done.stdout), "machine": about}
    if problem := difference(measured):
        print(f"bench: latency: {problem}", file=sys.stderr)
        return 1
    given.output.write_text(json.dumps(measured, indent=2) + "\n")
    print(text_of(measured))
    return 0
