#!/usr/bin/env python3
"""run.py CASES BUILD FOLDER [options]: runs the cases of a folder with the programs of a build folder. FOLDER is where
generate_pipelines.py wrote what it made of them.

One line for each case: PASS, FAIL with the first difference, or ERROR for a case that has no
program. The status is 0 if all passed, 1 if one failed or is in error, 2 if there was nothing to run."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

AT_ONCE = 16


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout.splitlines()


def run_pipelines(cases, build, folder, entries):
    """Lines of all pipeline cases, by name."""
    lines = {}
    by_program = collections.defaultdict(list)
    for name, entry in entries.items():
        if "error" in entry:
            lines[name] = f"ERROR {name}: {entry['error']}"
        else:
            by_program[entry["program"]].append(name)
    for program, names in by_program.items():
        path = build / program
        if not path.exists():
            for name in names:
                lines[name] = f"ERROR {name}: its pipeline does not compile; see {folder / (program + '.cpp')}"
            continue
        for begin in range(0, len(names), AT_ONCE):
            chosen = names[begin:begin + AT_ONCE]
            command = [path]
            for name in chosen:
                command += [entries[name]["pipeline"]] if "pipeline" in entries[name] else []
                command += [cases / name, ",".join(map(str, entries[name]["durations"]))]
            status, output = run(command)
            printed = {line.split(" ", 2)[1].rstrip(":"): line for line in output if line.startswith(("PASS ", "FAIL "))}
            for name in chosen:
                lines[name] = printed.get(name, f"FAIL {name}: its program ended with status {status}: {' '.join(output[-3:])}")
    return lines


def run_contracts(cases, build, options):
    if not any("contract" in json.loads(path.read_text()) for path in cases.glob("*/case.json")):
        return {}
    status, output = run([build / "run_contract_cases", cases, *options])
    lines = {line.split(" ", 2)[1].rstrip(":"): line for line in output if line.startswith(("PASS ", "FAIL "))}
    if status > 1:
        lines["contracts"] = f"ERROR contracts: run_contract_cases ended with status {status}: {' '.join(output[-3:])}"
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kind", choices=("all", "contracts", "pipelines"), default="all")
    parser.add_argument("--no-fast-path", action="store_true", help="decode every line with the code for all of JSON")
    parser.add_argument("--many", action="store_true", help="decode a hundred copies of each contract's input at once")
    given = parser.parse_args()
    options = [option for option, wanted in (("--no-fast-path", given.no_fast_path), ("--many", given.many)) if wanted]
    lines = {}
    if given.kind != "pipelines":
        lines.update(run_contracts(given.cases, given.build, options))
    if given.kind != "contracts":
        entries = json.loads((given.folder / "pipelines.json").read_text())
        lines.update(run_pipelines(given.cases, given.build, given.folder, entries))
    for name in sorted(lines):
        print(lines[name])
    counts = collections.Counter(line.split(" ", 1)[0] for line in lines.values())
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['ERROR']} in error")
    return 2 if not lines else 1 if counts["FAIL"] or counts["ERROR"] else 0


if __name__ == "__main__":
    sys.exit(main())
