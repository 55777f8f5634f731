"""How a peer talks to tools/bench: it says that it is ready, then answers each line `run` or `result` with a line of
JSON. bench/support/peer.hpp is the same for C++."""

import json
import sys
import time


def say(answer):
    print(json.dumps(answer), flush=True)


def serve(name, run, result):
    """`run` does the work once and is timed, unless it gives the seconds itself; `result` tells what came out of it and
    is not."""
    say({"ready": name})
    for line in sys.stdin:
        command = line.strip()
        if command == "stop":
            return
        if command == "run":
            begin = time.perf_counter()
            seconds = run()
            say({"seconds": time.perf_counter() - begin if seconds is None else seconds})
        elif command == "result":
            say(result())
        else:
            say({"error": f"there is no command {command}"})
