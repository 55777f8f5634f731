#!/usr/bin/env python3
"""test_bindings.py PROGRAM...: no library of the system, and no code of ours but that for Parquet, is bound to a symbol of
pyarrow's libraries. These give out an OpenSSL and a simdjson of their own, which librdkafka and our decoder must not get."""

import os
import pathlib
import re
import subprocess
import sys

BINDING = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: .* symbol `([^']+)'")
OF_ARROW = re.compile(r"^_ZN?\w*?(5arrow|7parquet)|^_ZT[VIS]N?\w*?(5arrow|7parquet)")


def is_wheel(path):
    return "/pyarrow/" in path


def wrong_bindings(program):
    """Those of a program, and how many symbols of the wheel it uses rightly."""
    done = subprocess.run([program, "--help"], capture_output=True, text=True, errors="replace",
                          env={**os.environ, "LD_BIND_NOW": "1", "LD_DEBUG": "bindings"})
    wrong, right = set(), 0
    for of, to, symbol in BINDING.findall(done.stderr):
        if not is_wheel(to) or is_wheel(of):
            continue
        if pathlib.Path(of).name == pathlib.Path(program).name and OF_ARROW.match(symbol):
            right += 1
        else:
            wrong.add(f"{pathlib.Path(of).name} gets {symbol} of {pathlib.Path(to).name}")
    return sorted(wrong), right


def main():
    failed = False
    for program in sys.argv[1:]:
        wrong, right = wrong_bindings(program)
        print(f"{pathlib.Path(program).name}: {right} symbols of pyarrow, {len(wrong)} that are not its own")
        print("\n".join(wrong[:20]))
        failed |= bool(wrong)
        if right == 0:
            print("  it is linked without pyarrow's libraries, so that there is nothing to look at")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
