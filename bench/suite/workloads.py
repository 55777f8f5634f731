"""What is measured: workloads, and who takes part in each."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Peer:
    """A contestant."""

    name: str
    program: str  # a program of the build, or what bench/suite/prepare.py sets up
    arguments: tuple
    compared: bool = True  # whether its result must be ours; a loop that only reads has none
    threads: int = 1  # and as many cores
    cores: int = 0  # more of them, for what libraries do beside it
    writes: bool = False  # gets a folder of its own

    @property
    def is_ours(self):
        return self.name.split(".")[0] == "etlantic"


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    about: str
    peers: tuple
    bytes_per_row: float  # of the columns, or of the lines, that are the input
    options: tuple = ()  # of the data, for every program
    lines: str = ""  # which lines the input consists of; nothing: columns in memory
    log: tuple = ()  # options of the Delta log that is the input
    partitions: int = 0  # of the Kafka topic that is the input
    rows: int = 0  # unless more than the last level of cache holds is wanted
    quick_rows: int = 0  # of a quick run, where the usual number is too much
    times: int = 1  # so many times in a turn


def ours(query, way, name="etlantic"):
    return Peer(name, "etlantic", ("--query", query, "--way", way), writes=way == "run")


def by_hand(query, way, name="by_hand", compared=True):
    return Peer(name, "by_hand", ("--query", query, "--way", way), compared)


def duckdb(query):
    return Peer("duckdb", "duckdb", ("--query", query))


def polars(query):
    return Peer("polars", "polars", ("--query", query))


def on_request(query):
    """Engines that take so long that only those see them who ask with --with."""
    return [Peer(name, name, ("--query", query)) for name in ("pyspark", "flink")]


def decoding(name, compared=True):
    return Peer(name.removesuffix(".messages"), "decode", ("--peer", name), compared)


HOUSE_LINE = 121.7
EVENT_LINE = 151.7
HOUSE_COLUMNS = 33
TEXT_KEY_BYTES = 16

CELLS = {
    "10k.1h": ("--customers", "10000", "--hours", "1"),
    "10k.24h": ("--customers", "10000", "--hours", "24"),
    "1m.1h": ("--customers", "1000000", "--hours", "1"),
    "1m.24h": ("--customers", "1000000", "--hours", "24"),
}


def house_columns(cell, about, options, query="house"):
    peers = [ours(query, "columns"), duckdb(query), polars(query)]
    if query == "house":
        peers.append(by_hand("house", "columns"))
    size = HOUSE_COLUMNS + (TEXT_KEY_BYTES - 8 if query == "house.text" else 0)
    return Workload(f"house.columns.{cell}", about, tuple(peers), size, options)


def house_lines(cell, about, options, query="house"):
    peers = [
        ours(query, "memory", "etlantic.to_memory"),
        ours(query, "run", "etlantic.to_sqlite"),
        duckdb(query),
        polars(query),
    ]
    if query == "house":
        peers += [by_hand("house", "lines", "simdjson"), *on_request(query)]
    return Workload(f"house.ndjson.{cell}", about, tuple(peers), HOUSE_LINE, options, "house")


def house():
    for cell, options in CELLS.items():
        yield house_columns(cell, "the house query over columns", options)
    for cell, options in CELLS.items():
        yield house_lines(cell, "the house query over lines of JSON", options)
    for cell, options in CELLS.items():
        yield house_lines(f"{cell}.shuffled", "the same with members in another order in each line",
                          (*options, "--shuffled"))
    plain = CELLS["10k.1h"]
    yield house_columns("10k.1h.half", "the house query over columns, one customer has half of the rows",
                        (*plain, "--half"))
    yield house_lines("10k.1h.half", "the house query over lines, one customer has half of the rows",
                      (*plain, "--half"))
    yield house_columns("10k.1h.text", "the house query over columns with a text as the key", (*plain, "--text"),
                        "house.text")
    yield house_lines("10k.1h.text", "the house query over lines with a text as the key", (*plain, "--text"),
                      "house.text")


def two_workers():
    lines = ("--query", "house", "--way", "memory")
    peers = (
        Peer("etlantic.two_workers", "etlantic", lines, threads=2),
        Peer("one_worker", "etlantic", lines),
        Peer("duckdb", "duckdb", ("--query", "house"), threads=2),
    )
    about = "the house query over lines on two cores, and ours on one of them"
    yield Workload("house.ndjson.10k.1h.two_workers", about, peers, HOUSE_LINE, CELLS["10k.1h"], "house")


def decode():
    lines = (decoding("etlantic"), decoding("simdjson"), decoding("simdjson.stage_1", compared=False))
    yield Workload("decode", "house lines to checked columns", lines, HOUSE_LINE, (), "house")
    yield Workload("decode.shuffled", "the same with members in another order in each line", lines, HOUSE_LINE,
                   ("--shuffled",), "house")
    messages = (decoding("etlantic.messages"), decoding("simdjson.messages"))
    yield Workload("decode.messages", "house rows that come one by one, as from Kafka", messages, HOUSE_LINE, (),
                   "house")


def ysb():
    yield Workload(
        "ysb.columns",
        "Yahoo's benchmark behind its join and projection, 100 campaigns, windows of 10 s",
        (ours("ysb.projected", "columns"), duckdb("ysb.projected"), polars("ysb.projected"),
         by_hand("ysb", "columns"), by_hand("ysb", "read", "read_loop", compared=False)),
        13,
    )
    yield Workload(
        "ysb.ndjson",
        "the same over lines with all fields; the campaign is a field of the event",
        (ours("ysb", "memory", "etlantic.to_memory"), duckdb("ysb"), polars("ysb")),
        256,
        (),
        "ysb",
    )


def others():
    bids = {
        "q0": "Nexmark q0 over bids without texts: all rows pass",
        "q1": "Nexmark q1 over bids without texts: prices in another currency, exact",
        "q2": "Nexmark q2 over bids without texts: every 123rd auction",
        "q5": "Nexmark q5: the auction with the most bids in the last 10 s, every 2 s",
        "q7": "Nexmark q7: the highest bid of 10 s",
        "q11": "Nexmark q11: bids by bidder and session, with pauses of 10 s",
        "q12": "Nexmark q12 on event time: bids by bidder and 10 s",
        "q17": "Nexmark q17 without its filtered counts: bids and prices by auction and day",
    }
    for query, about in bids.items():
        name = f"nexmark.{query}"
        shown = "nexmark.q17.without_filtered_counts" if query == "q17" else name
        yield Workload(shown, about, (ours(name, "columns"), duckdb(name)), 32)
    grids = {
        "cm1.tumbling": ("cluster monitoring: sum of cpu by category and minute", 64),
        "cm2.tumbling": ("cluster monitoring: sum of cpu by job and minute, one event type", 64),
        "sg1.tumbling": ("smart grid: mean load by hour", 28),
        "sg2.tumbling": ("smart grid: mean load by plug and 128 s", 28),
        "sg3.tumbling": ("smart grid: mean load by plug and hour, one household in four", 28),
    }
    for name, (about, size) in grids.items():
        yield Workload(name, about, (ours(name, "columns"), duckdb(name)), size)


def kafka():
    # A client fetches in threads of its own, beside the one that works on what came.
    peers = (
        Peer("etlantic.to_memory", "etlantic", ("--query", "house.events", "--way", "kafka"), cores=2),
        Peer("raw_loop", "kafka_loop", ("--partitions", "8"), cores=2),
        Peer("flink", "flink", ("--query", "house"), threads=2),
    )
    yield Workload("kafka.ndjson", "the house query over a topic of 8 partitions, and a loop over librdkafka that only "
                   "touches each message", peers, EVENT_LINE, (*CELLS["10k.1h"], "--event-ids"), partitions=8,
                   rows=3_000_000)


def delta_peers(work, *options, codecs=False, threads=1):
    arguments = ("--work", work, *options)
    peers = [Peer(name, program, arguments, threads=threads, writes=True)
             for name, program in (("etlantic", "delta"), ("deltalake", "deltalake"))]
    if codecs:  # snappy is what delta-rs takes by itself, zstd what we take
        peers.append(Peer("deltalake.zstd", "deltalake", (*arguments, "--compression", "zstd"), threads=threads, writes=True))
    return tuple(peers)


def delta():
    size = 48
    yield Workload("delta.append", "windows appended to a new Delta table in ten commits",
                   delta_peers("append", codecs=True), size, rows=10_000_000)
    merged = ("--times", "100", "--hours", "10")
    yield Workload("delta.merge", "changed windows of the last two hours of ten, merged into a table of 100 times as many",
                   delta_peers("recent", *merged, codecs=True), size, rows=100_000, quick_rows=1_000)
    yield Workload("delta.merge.two_cores", "the same on two cores",
                   delta_peers("recent", *merged, codecs=True, threads=2), size, rows=100_000, quick_rows=1_000)
    yield Workload("delta.merge.scattered", "the same with changed windows of all hours, so that every file is written again",
                   delta_peers("scattered", *merged, codecs=True), size, rows=100_000, quick_rows=1_000)
    yield Workload("delta.merge.small", "100 batches of changed windows one by one into a table of 1,000 times one batch",
                   delta_peers("small", "--times", "1000", "--hours", "100"), size, rows=1_000, quick_rows=20, times=100)
    for name, options in (("delta.open", ()), ("delta.open.checkpoint", ("--checkpoint",))):
        yield Workload(name, "the live files of a table, from a log of so many commits" +
                       (" and a checkpoint 100 before its end" if options else ""),
                       delta_peers("open"), 1_000, log=("--make-log", *options), rows=10_000, quick_rows=300)


def all_workloads():
    return [*house(), *two_workers(), *decode(), *ysb(), *others(), *kafka(), *delta()]
