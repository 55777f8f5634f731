#!/usr/bin/env python3
"""check_headers.py COMPILER [FLAG]...: compiles every header of include/etlantic alone with clang, since a user may
include any of them first.

Alone, each would read again what nearly all include. Instead some headers are precompiled, and each other one is compiled
behind one of those that it includes anyway, directly or by others: it sees the same declarations as without, only the
precompiled ones first, and these are compiled alone themselves. A header that forgets an include still fails, because
nothing is precompiled that its own includes do not lead to.

Prints the headers that do not compile, with what the compiler says. The status is 0 if all do."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

include = pathlib.Path(__file__).resolve().parent.parent / "include"

# Bodies are compiled with what stands before them in one file; see implementation.hpp.
bodies = re.compile(r"(\.inl\.hpp|/implementation[a-z_]*\.hpp)$")

# What reading a header of others costs beside one of ours, in bytes of ours.
bytes_of_others = 20_000


def includes_of(path):
    """What it includes whatever is defined."""
    depth = 0
    for line in path.read_text().splitlines():
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        elif depth == 0 and (found := re.match(r"\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", line)):
            yield found.group(1)


def reached_from(headers):
    """For each header what its includes lead to."""
    direct = {name: list(includes_of(include / name)) for name in headers}

    def reach(name, seen):
        for used in direct.get(name, []):
            if used not in seen:
                seen.add(used)
                reach(used, seen)
        return seen

    return {name: reach(name, set()) for name in headers}


def chosen_to_precompile(reached):
    """Headers of which each saves more than precompiling it costs, by the size of what need not be read again."""
    def size(name):
        return (include / name).stat().st_size if name in reached else bytes_of_others

    cost = {name: size(name) + sum(map(size, of)) for name, of in reached.items()}
    saved = dict.fromkeys(reached, 0)
    chosen = []
    while True:
        def gain(candidate):
            return sum(max(0, cost[candidate] - saved[name]) for name, of in reached.items() if candidate in of)

        best = max(reached, key=gain)
        if gain(best) < 2 * cost[best]:
            return {name: max((of & set(chosen)), key=cost.get, default=None) for name, of in reached.items()}
        chosen.append(best)
        for name, of in reached.items():
            if best in of:
                saved[name] = max(saved[name], cost[best])


class Compiler:
    def __init__(self, command, folder):
        self.command, self.folder = command, pathlib.Path(folder)

    def place(self, header):
        return self.folder / (header.replace("/", "-") + ".pch")

    def run(self, *arguments, text):
        done = subprocess.run([*self.command, "-I", include, *arguments, "-"], input=text, capture_output=True, text=True)
        return None if done.returncode == 0 else done.stderr

    def precompile(self, header):
        return self.run("-x", "c++-header", "-o", self.place(header), text=f"#include <{header}>\n")

    def check(self, header, precompiled):
        behind = ["-include-pch", self.place(precompiled)] if precompiled else []
        return self.run("-fsyntax-only", *behind, "-x", "c++", text=f"#include <{header}>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("flags", nargs=argparse.REMAINDER)
    given = parser.parse_args()

    names = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.hpp"))
    headers = [name for name in names if not bodies.search(name)]
    behind = chosen_to_precompile(reached_from(headers))
    precompiled = sorted(set(filter(None, behind.values())))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiler = Compiler([given.compiler, *given.flags], folder)
        problems = {name: problem for name, problem in zip(precompiled, pool.map(compiler.precompile, precompiled)) if problem}
        if not problems:
            others = [name for name in headers if name not in precompiled]
            found = pool.map(compiler.check, others, [behind[name] for name in others])
            problems = {name: problem for name, problem in zip(others, found) if problem}
    for name, problem in problems.items():
        print(f"<{name}> does not compile alone:\n{problem}")
    print(f"{len(headers)} headers, of which {len(precompiled)} were precompiled, {len(problems)} do not compile alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
