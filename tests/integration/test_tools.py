#!/usr/bin/env python3
"""Every program of tools/ says at once how it is used, and does nothing else when it is asked that."""

import os
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 60  # what builds or installs something takes longer


def main():
    tools = [path for path in sorted((root / "tools").iterdir()) if os.access(path, os.X_OK) and path.is_file()]
    problems = []
    for tool in tools:
        try:
            done = subprocess.run([tool, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            problems.append(f"{tool.name} --help takes more than {SECONDS} s")
            continue
        if done.returncode != 0 or tool.name not in done.stdout:
            problems.append(f"{tool.name} --help: status {done.returncode}, {done.stdout + done.stderr!r}")
    print("\n".join(problems) if problems else f"{len(tools)} tools say how they are used")
    return 1 if problems or not tools else 0


if __name__ == "__main__":
    sys.exit(main())
