"""The house query on Spark, in batch: rows from a file of lines."""

import pyspark
from pyspark.sql import SparkSession, functions as f, types as t

import arguments
import protocol

PRIME = 2_147_483_647
FACTOR = 1_000_003

SCHEMA = t.StructType(
    [
        t.StructField("customer_id", t.LongType()),
        t.StructField("order_total", t.DecimalType(18, 2)),
        t.StructField("status", t.StringType()),
        t.StructField("event_time", t.TimestampType()),
        t.StructField("order_id", t.LongType()),
    ]
)


def start(options):
    session = (
        SparkSession.builder.master(f"local[{options.threads}]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", str(options.threads))
        .config("spark.driver.memory", "3g")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


def house(rows):
    return (
        rows.where("status = 'paid'")
        .groupBy("customer_id", f.window("event_time", "1 hour").start.alias("start"))
        .agg(
            f.count("*").alias("orders"),
            f.sum("order_total").alias("total"),
            f.max("event_time").alias("latest"),
        )
    )


def digest(outcome):
    wholes = [
        f.col("customer_id"),
        f.unix_micros("start"),
        f.col("orders"),
        (f.col("total") * 100).cast("long"),
        f.unix_micros("latest"),
    ]
    row = f.lit(0).cast("long")
    for value in wholes:
        row = (row * FACTOR + value % PRIME) % PRIME
    hashes = outcome.select(row.alias("h"))
    count, checksum = hashes.agg(f.count("*"), f.sum(f.col("h") * f.col("h") % PRIME)).first()
    return {"rows": count, "checksum": checksum or 0, "reals": []}


def main():
    options = arguments.parse()
    rows = start(options).read.schema(SCHEMA).json(options.input)
    outcome = house(rows)
    protocol.serve(
        f"pyspark {pyspark.__version__}",
        # The result goes to Spark's sink that drops it: writing it is not what is compared.
        lambda: outcome.write.format("noop").mode("overwrite").save(),
        lambda: digest(outcome),
    )


if __name__ == "__main__":
    main()
