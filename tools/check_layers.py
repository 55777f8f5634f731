#!/usr/bin/env python3
"""Checks the layers of include/etlantic: a header includes its own folder and the folders before it, heavy third parties
stay where they belong, and what every user's file includes does not reach them."""

import argparse
import pathlib
import re
import sys

include = pathlib.Path(__file__).resolve().parent.parent / "include"

# Data flows from left to right; includes go from right to left only.
layers = [
    "core", "contract", "expression", "graph", "plan", "column", "kernel", "runtime", "connect", "tool", "testing",
]

# Files directly in include/etlantic that put the layers together.
exempt = {"etlantic.hpp", "fwd.hpp", "implementation.hpp", "implementation_connect.hpp",
          "implementation_delta.hpp", "implementation_runtime.hpp", "implementation_tool.hpp", "testing.hpp"}

# Connectors do not know each other. The exceptions:
shared_connectors = {
    "connect/json": "the parser of JSON lines, which is no end by itself; files and messages both hold such lines",
    "connect/parquet": "files of columns, which are no end by themselves; the tables of connectors are made of them",
}

# (what is included, the folders that may, why only these)
heavy = [
    (r"simdjson", ["connect/json"], "1.4 s to include"),
    (r"xsimd/", ["kernel"], "0.9 s to include"),
    (r"re2/", ["kernel"], "a component's own dependency"),
    (r"sqlite3\.h", ["connect/sqlite"], "a connector's own dependency"),
    (r"(arrow|parquet)/", ["connect/parquet"], "2.4 s to include"),
    (r"(yaml-cpp|CLI)/", ["tool"], "a component's own dependency"),
    (r"cctz/", ["core"], "a component's own dependency"),
    (r"zstd\.h", ["runtime"], "a component's own dependency"),
    (r"boost/pfr", ["contract"], "reflection is known in one place"),
    (r"boost/hana(\.hpp|/map\.hpp)", [], "tuple and fold are enough, and making a map takes quadratic time"),
    (r"(iostream|regex)$", [], "slow to include, and the library never prints"),
]
in_one_file_only = [r"boost/pfr", r"cctz/time_zone", r"zstd\.h"]

# A file that declares a pipeline includes etlantic.hpp; what that reaches, everyone pays for.
never_reached_from_etlantic_hpp = r"simdjson|sqlite3\.h|arrow/|yaml-cpp/|CLI/|cctz/|re2/|zstd\.h"


def includes_of(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if found:
            yield number, found.group(1), found.group(2)


def folder_of(name):
    """'etlantic/connect/json/x.hpp' -> 'connect/json', with the folders below a connector or layer left out."""
    parts = name.split("/")[1:-1]
    return "/".join(parts[: 2 if parts[:1] == ["connect"] else 1])


def layer_of(folder):
    return folder.split("/")[0]


def check_own(user, used):
    """Why the header `user` must not include our header `used`, or None."""
    if not (include / used).is_file():
        return "there is no such header"
    mine, other = folder_of(user), folder_of(used)
    if not other:
        return f"{used} puts the layers together and is included by users only" if used != "etlantic/fwd.hpp" else None
    if layers.index(layer_of(other)) > layers.index(layer_of(mine)):
        return f"{layer_of(other)} comes after {layer_of(mine)}"
    # A file directly in connect/ joins the connectors, so it may know them all.
    if layer_of(mine) == layer_of(other) == "connect" and mine not in (other, "connect"):
        if other not in shared_connectors and other != "connect":
            return "a connector does not include another one"
    return None


def check_heavy(user, used):
    for pattern, allowed, why in heavy:
        if re.match(pattern, used) and folder_of(user) not in allowed:
            return f"{' and '.join(allowed) or 'no header'} may include it: {why}"
    return None


def check_header(path):
    user = path.relative_to(include).as_posix()
    is_exempt = user.removeprefix("etlantic/") in exempt
    if not is_exempt and layer_of(folder_of(user)) not in layers:
        yield f"{user}: it lies in no layer; there are {', '.join(layers)}"
        return
    for number, bracket, used in includes_of(path):
        place = f"{user}:{number}: {used}"
        if bracket == '"':
            yield f"{place}: includes are written <etlantic/...>"
        elif used.startswith("etlantic/"):
            problem = None if is_exempt and (include / used).is_file() else check_own(user, used)
            if problem:
                yield f"{place}: {problem}"
        elif problem := check_heavy(user, used):
            yield f"{place}: {problem}"


def check_single_files(headers):
    for pattern in in_one_file_only:
        users = sorted({p for p in headers for _, _, used in includes_of(p) if re.match(pattern, used)})
        for path in users[1:]:
            yield f"{path.relative_to(include)}: {pattern} is included by {users[0].relative_to(include)} already"


def check_reach(start):
    """A path of includes from `start` to a third party that must not be reached."""
    waiting, seen = [(start, [start])], {start}
    while waiting:
        name, path = waiting.pop(0)
        if not (include / name).is_file():
            continue
        for _, _, used in includes_of(include / name):
            if re.match(never_reached_from_etlantic_hpp, used):
                yield f"{start}: reaches {used} by {' -> '.join(path)}"
            elif used.startswith("etlantic/") and used not in seen:
                seen.add(used)
                waiting.append((used, path + [used]))


def main():
    argparse.ArgumentParser(description=__doc__).parse_args()
    headers = sorted((include / "etlantic").rglob("*.hpp"))
    problems = [problem for path in headers for problem in check_header(path)]
    problems += check_single_files(headers)
    problems += check_reach("etlantic/etlantic.hpp")
    print("\n".join(problems) if problems else f"{len(headers)} headers keep to the layers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
