"""What the tables must hold that tests/integration/delta/writer.cpp writes: the same formulas, in another language."""

import dataclasses
import datetime
import decimal
import os
import subprocess

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
REGIONS = ["north west/100% =é", "south", None]
MODULUS = 1009
NEW_COLUMNS = ("pair", "list")  # which the narrow contract of writer.cpp does not have


def fixed(scaled, scale):
    with decimal.localcontext() as context:
        context.prec = 40
        return decimal.Decimal(scaled).scaleb(-scale)


def row_of(k, batch):
    """What writer.cpp makes of a key and a batch."""
    return {
        "k": k, "batch": batch, "amount": None if k % 10 == 3 else fixed(k * 101 - 5000 + batch, 2),
        "wide": None if k % 4 == 0 else fixed((k - 500) * 10**15 + k, 10),
        "ts": 1_790_000_000_000_000 + k * 1_000_037 + batch,
        "day": datetime.date(1970, 1, 1) + datetime.timedelta(days=19000 + k - 500),
        "name": f'name "q" \\ é {"x" * (k % 50)}{k}', "region": REGIONS[k % 3],
        "ratio": None if k % 5 == 0 else k / 7.0, "small": k * 0.5, "flag": k % 2 == 0, "tiny": k % 100 - 50,
        "short": k % 256, "bytes": bytes([k % 256, 0]), "colour": ["red", "green", "blue"][k % 3],
        "pair": None if k % 6 == 0 else {"number": k * 2, "word": None if k % 4 == 1 else f"word {k}"},
        "list": None if k % 7 == 0 else [None if k % 8 == 2 else k] * (k % 4),
    }


def keys_of(batch, rows):
    return [(batch * 7919 + i * 31) % MODULUS for i in range(rows)]


def comparable(rows):
    """Texts that are equal for equal rows, sorted: whatever implementation they come from."""
    def plain(value):
        if isinstance(value, datetime.datetime):
            return (value - EPOCH) // datetime.timedelta(microseconds=1)
        return bytes(value) if isinstance(value, bytearray) else value
    return sorted(repr(sorted((name, plain(value)) for name, value in row.items())) for row in rows)


def appended(*written):
    return [row_of(key, batch) for batch, rows in written for key in keys_of(batch, rows)]


def merged(*written):
    newest = {}
    for batch, rows in written:
        for key in keys_of(batch, rows):
            newest[key] = batch
    return [row_of(key, batch) for key, batch in newest.items()]


@dataclasses.dataclass
class Scenario:
    """A table that the writer lists; see `scenarios` in writer.cpp."""

    name: str
    batches: int
    rows_per_batch: int
    options: dict
    marks: set

    @property
    def narrow_batches(self):
        return self.batches // 2 if "grown" in self.marks else 0

    def write(self, writer, folder, first=0, batches=None):
        batches = self.batches if batches is None else batches
        narrow = max(0, self.narrow_batches - first)
        if narrow > 0:
            writer(folder, "q", first, narrow, self.rows_per_batch, narrow="yes")
        writer(folder, "q", first + narrow, batches - narrow, self.rows_per_batch, **self.options)
        if "optimized" in self.marks:
            writer.optimize(folder)
        if "short_log" in self.marks:
            log = os.path.join(folder, "_delta_log")
            newest = max(name for name in os.listdir(log) if name.endswith(".checkpoint.parquet"))
            for name in os.listdir(log):
                if name.endswith(".json") and name[:20] < newest[:20]:
                    os.remove(os.path.join(log, name))

    def rows(self, batches=None):
        written = [(batch, self.rows_per_batch) for batch in range(self.batches if batches is None else batches)]
        rows = (appended if self.options.get("mode") == "append" else merged)(*written)
        for row in rows:
            if row["batch"] < self.narrow_batches:
                row.update(dict.fromkeys(NEW_COLUMNS))
        return rows


class Writer:
    def __init__(self, program):
        self.program = program

    def _run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"the writer ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def __call__(self, folder, query, first, batches, rows, **options):
        self._run(folder, query, first, batches, rows, *(f"{name}={value}" for name, value in options.items()))

    def read(self, folder):
        """Key and batch of each row as we read the table; the writer has compared all other values."""
        return sorted(tuple(map(int, line.split())) for line in self._run("--read", folder).splitlines())

    def optimize(self, folder):
        self._run("--optimize", folder)

    def scenarios(self):
        for line in self._run("--scenarios").splitlines():
            name, batches, rows, *rest = line.split()
            yield Scenario(name, int(batches), int(rows), dict(word.split("=", 1) for word in rest if "=" in word),
                           {word for word in rest if "=" not in word})
