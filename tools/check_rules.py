#!/usr/bin/env python3
"""Every rule (a struct in namespace etlantic::rule of some *rules.hpp) needs two tests: a file tests/compile_fail/**/<rule>.cpp
for its text, and a mention in tests/static for its verdict."""

import argparse
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent


def block_after(text, start):
    """The text between the brace that opens at or after `start` and the one that closes it."""
    begin = text.index("{", start) + 1
    depth = 1
    for place in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[begin:place]
    raise ValueError("unbalanced braces")


def rules_in(header):
    text = re.sub(r'//[^\n]*|"(?:\\.|[^"\\])*"', "", header.read_text())
    for namespace in re.finditer(r"\bnamespace\s+(?:etlantic::)?rule\b", text):
        body = block_after(text, namespace.start())
        for struct in re.finditer(r"\bstruct\s+(\w+)\s*\{", body):
            yield struct.group(1)


def main():
    argparse.ArgumentParser(description=__doc__).parse_args()
    texts = {path.stem for path in (root / "tests/compile_fail").rglob("*.cpp")}
    verdicts = "\n".join(path.read_text() for path in (root / "tests/static").rglob("*.cpp"))
    problems = []
    count = 0
    for header in sorted((root / "include").rglob("*rules.hpp")):
        for rule in rules_in(header):
            count += 1
            layer = header.parent.name
            if rule not in texts:
                problems.append(f"{layer}: there is no tests/compile_fail/{layer}/{rule}.cpp")
            if not re.search(rf"\b{rule}\b", verdicts):
                problems.append(f"{layer}: no test in tests/static names {rule}")
    print("\n".join(problems) if problems else f"{count} rules, each with a test of its text and of its verdict")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
