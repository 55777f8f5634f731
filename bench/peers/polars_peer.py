"""The house query and YSB on Polars: rows from a file of lines, or from a table in memory."""

import os
import tempfile

import arguments
import protocol

options = arguments.parse()
os.environ["POLARS_MAX_THREADS"] = str(options.threads)  # read once, at import

import polars as pl  # noqa: E402

PRIME = 2_147_483_647
FACTOR = 1_000_003


def house(rows, customer):
    return (
        rows.filter(pl.col("status") == "paid")
        .group_by("customer_id", pl.col("event_time").dt.truncate("1h").alias("start"))
        .agg(
            pl.len().alias("orders"),
            pl.col("order_total").sum().alias("total"),
            pl.col("event_time").max().alias("latest"),
        )
    ), [customer, microseconds("start"), pl.col("orders"), (pl.col("total") * 100), microseconds("latest")]


def ysb(rows):
    return (
        rows.filter(pl.col("event_type") == "view")
        .group_by("campaign_id", pl.col("event_time").dt.truncate("10s").alias("start"))
        .agg(pl.len().alias("views"), pl.col("event_time").max().alias("latest"))
    ), [pl.col("campaign_id"), microseconds("start"), pl.col("views"), microseconds("latest")]


def microseconds(name):
    return pl.col(name).dt.epoch("us")


def query_over(rows):
    if options.query == "house":
        return house(rows, pl.col("customer_id"))
    if options.query == "house.text":
        return house(rows, pl.col("customer_id").str.split("-").list.last())
    return ysb(rows)


def lines(path):
    # scan_ndjson takes no JSON number as a decimal and no text as a time; both are made from what it can read.
    if options.query == "ysb":
        texts = ["user_id", "page_id", "ad_id", "ad_type", "event_type"]
        schema = {name: pl.String for name in texts}
        schema |= {"event_time": pl.Int64, "ip_address": pl.String, "campaign_id": pl.Int32}
        return pl.scan_ndjson(path, schema=schema).with_columns(pl.from_epoch("event_time", time_unit="ms"))
    schema = {
        "customer_id": pl.String if options.query == "house.text" else pl.Int64,
        "order_total": pl.Float64,
        "status": pl.String,
        "event_time": pl.String,
        "order_id": pl.Int64,
    }
    return pl.scan_ndjson(path, schema=schema).with_columns(
        pl.col("order_total").cast(pl.Decimal(18, 2)),
        pl.col("event_time").str.strptime(pl.Datetime("us", "UTC"), "%Y-%m-%dT%H:%M:%S%.6fZ"),
    )


def columns():
    """The rows that DuckDB makes from the formula, handed over in a file before time is taken."""
    import duckdb
    import queries_sql

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/rows.parquet"
        made = queries_sql.QUERIES[options.query].data(options)
        duckdb.execute(f"COPY ({made}) TO '{path}' (FORMAT parquet)")
        return pl.read_parquet(path).rechunk().lazy()


def digest(outcome, wholes):
    row = pl.lit(0, pl.Int64)
    for value in wholes:
        row = (row * FACTOR + value.cast(pl.Int64) % PRIME) % PRIME
    return {
        "rows": outcome.height,
        "checksum": outcome.select(row.alias("h")).select((pl.col("h") * pl.col("h") % PRIME).sum()).item() or 0,
        "reals": [],
    }


def main():
    plan, wholes = query_over(lines(options.input) if options.input else columns())
    last = {}

    def run():
        # The streaming engine is the faster of the two, over files and over memory.
        last["outcome"] = plan.collect(engine="streaming")

    protocol.serve(f"polars {pl.__version__}", run, lambda: digest(last["outcome"], wholes))


if __name__ == "__main__":
    main()
