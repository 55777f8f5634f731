"""Runs the orders example for a while on files that grow, and looks whether memory, file handles and the checkpoint stay
as they are, and whether the counts add up to the last row.

usage: soak.py <01_customer_orders> [seconds]
"""

import json
import os
import pathlib
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

EXAMPLE = os.path.abspath(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 10
FILES = 4
ROWS_PER_ROUND = 1000
ROUND_SECONDS = 0.1
SNAPSHOT_SECONDS = 1  # after which records of the batches before may go
CUSTOMERS = 500
FIRST_TIME = 1_760_000_000


def time_text(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class Feeder:
    """Appends orders to files, and counts what must become of them."""

    def __init__(self, folder):
        self.files = [open(folder / f"orders-{i}.ndjson", "ab", buffering=0) for i in range(FILES)]
        self.random = random.Random(1)
        self.now = FIRST_TIME
        self.rows = self.invalid = self.paid = 0

    def order(self, seconds, wrong=False):
        status = self.random.choice(("paid", "paid", "cancelled"))
        self.rows += 1
        self.invalid += wrong
        self.paid += status == "paid" and not wrong
        return json.dumps({"event_id": f"e{self.rows}", "order_id": self.rows,
                           "customer_id": 0 if wrong else self.random.randint(1, CUSTOMERS), "order_total": "12.50",
                           "status": status, "event_time": time_text(seconds)}) + "\n"

    def feed(self):
        """Half a minute of event time, with some wrong rows and some that come much too late."""
        self.now += 30
        texts = [""] * FILES
        for _ in range(ROWS_PER_ROUND):
            late = self.random.random() < 0.001
            seconds = self.now - (86_400 if late else self.random.randint(0, 600))
            texts[self.random.randrange(FILES)] += self.order(max(seconds, FIRST_TIME - 90_000), self.random.random() < 0.002)
        for file, text in zip(self.files, texts):
            file.write(text.encode())

    def close_windows(self):
        self.now += 30 * 86_400
        self.files[0].write(self.order(self.now).encode())


def sample(pid, checkpoint):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
    handles = len(os.listdir(f"/proc/{pid}/fd"))
    sizes = []
    for path in checkpoint.rglob("*"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:
            pass  # replaced meanwhile
    return memory, handles, sum(sizes), len(sizes)


def level(name, values, share, slack, period=0):
    """The last third must not lie above the middle one, but for `share` and `slack`. What rises and falls once in `period`
    seconds has another median wherever a third cuts that short: by half a period's part of the whole rise, at most."""
    third = len(values) // 3
    before, after = statistics.median(values[third:2 * third]), statistics.median(values[2 * third:])
    print(f"{name}: median {before:.0f} in the middle third, {after:.0f} in the last; greatest {max(values):.0f}")
    cut = (max(values[third:]) - min(values[third:])) * min(1, period / (SECONDS / 3)) / 2
    return after <= before * (1 + share) + slack + cut


def run(profile, *options):
    return subprocess.Popen([EXAMPLE, "run", "--profile", profile, "--progress", "json", *options],
                            stdout=subprocess.PIPE, text=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in").mkdir()
        (folder / "profile.yaml").write_text(
            "assets:\n  order_events: {connector: file, path: in, tail: true}\n" +
            "".join(f"  {table}: {{connector: sqlite, path: orders.db, cache_mib: 4}}\n" for table in
                    ("customer_order_windows", "rejected_order_events", "late_order_events")) +
            "checkpoint: {path: checkpoint}\n")
        feeder = Feeder(folder / "in")
        feeder.feed()
        process = run(folder / "profile.yaml")
        summaries = []

        def collect(of):
            for line in of.stdout:
                if '"event":"summary"' in line:
                    summaries.append(json.loads(line))

        reader = threading.Thread(target=collect, args=(process,))
        reader.start()
        samples = []
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            begun = time.monotonic()
            feeder.feed()
            if process.poll() is not None:
                sys.exit(f"the pipeline ended by itself with {process.returncode}")
            samples.append(sample(process.pid, folder / "checkpoint"))
            time.sleep(max(0, ROUND_SECONDS - (time.monotonic() - begun)))  # the pace of the input
        process.send_signal(signal.SIGTERM)
        process.wait()
        reader.join()
        for _ in range(2):  # what came last, then what closes every window
            feeder.close_windows()
            process = run(folder / "profile.yaml", "--once")
            collect(process)
            process.wait()

        memory, handles, sizes, files = zip(*samples)
        good = [level("memory in MiB", memory, 0.05, 8), level("file handles", handles, 0, 0.5),
                level("bytes of the checkpoint", sizes, 0.10, 4096, SNAPSHOT_SECONDS),
                level("files of the checkpoint", files, 0, 3, SNAPSHOT_SECONDS)]

        read = sum(each["rows_read"] for each in summaries)
        invalid = sum(each["invalid"] for each in summaries)
        late = sum(each["late"] for each in summaries)
        database = sqlite3.connect(folder / "orders.db")
        one = lambda query: database.execute(query).fetchone()[0]
        counted = one("select sum(paid_order_count) from customer_order_windows")
        last = one("select count(*) from rejected_order_events"), one("select count(*) from late_order_events")
        print(f"{read} rows read of {feeder.rows}, {invalid} invalid of {feeder.invalid}; paid {feeder.paid} = "
              f"{counted} in windows + {late} late + what the last order left open; tables hold {last}")
        # The order that closed all windows is in one that is open, if it was paid.
        good += [read == feeder.rows, invalid == feeder.invalid, last == (feeder.invalid, late),
                 0 <= feeder.paid - counted - late <= 1]
        if not all(good):
            sys.exit(f"not level, or rows are missing: {good}")
        print("level, and every row accounted for")


main()
