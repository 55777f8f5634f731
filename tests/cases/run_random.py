#!/usr/bin/env python3
"""run_random.py BUILD SEED COUNT: runs random cases with the programs of a build folder, which has one for each shape of
pipeline. Writes them as it goes and removes those that pass; the folder of one that fails stays and is named.

Prints a line for each case that did not pass and one of totals. The status is 0 if all passed."""

import collections
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile

from generate_pipelines import entries_of
from random_cases import write_cases
from run import run_pipelines

AT_ONCE = 350
MEMORY = pathlib.Path("/dev/shm")


def scratch():
    """A folder for checkpoints and inputs. What is tested is results, not disks, so memory will do."""
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
        os.environ["TMPDIR"] = str(MEMORY)
    return pathlib.Path(tempfile.mkdtemp(prefix="etlantic-random-"))


def run_some(build, folder, seed, first, count):
    cases = folder / f"from_{first}"
    write_cases(cases, seed, first, count)
    entries, _ = entries_of(cases)
    lines = run_pipelines(cases, build, folder, entries)
    for name, line in lines.items():
        if line.startswith("PASS"):
            shutil.rmtree(cases / name)
    return [line if line.startswith("PASS") else f"{line} (in {cases / name})" for name, line in sorted(lines.items())]


def main():
    build, seed, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder = scratch()
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = [pool.submit(run_some, build, folder, seed, first, min(AT_ONCE, count - first))
                 for first in range(0, count, AT_ONCE)]
        for part in parts:
            for line in part.result():
                counts[line.split(" ", 1)[0]] += 1
                if not line.startswith("PASS"):
                    print(line)
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['ERROR']} in error")
    if counts["PASS"] != count:
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
