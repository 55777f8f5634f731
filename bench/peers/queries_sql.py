"""The queries of bench/queries/*.cpp in SQL, and what of each result goes into its digest."""

import dataclasses

import data_sql


@dataclasses.dataclass(frozen=True)
class Query:
    sql: str  # over {rows}
    wholes: list  # whole numbers of a row, as bench/support/block_digest.hpp takes them, in that order
    reals: list = dataclasses.field(default_factory=list)
    data: object = None  # makes the rows as columns
    lines: object = None  # reads them from a file


def window(field, seconds):
    return f"epoch_us({field}) // {seconds * 1_000_000} AS w"


def start(seconds):
    return f"w * {seconds * 1_000_000}"


def house(customer, text):
    return Query(
        f"SELECT customer_id, {window('event_time', 3600)}, count(*) AS orders, sum(order_total) AS total, "
        "max(event_time) AS latest FROM {rows} WHERE status = 'paid' GROUP BY ALL",
        [customer, start(3600), "orders", "(total * 100)::BIGINT", "epoch_us(latest)"],
        data=data_sql.house,
        lines=lambda path: data_sql.house_lines(path, text),
    )


YSB = Query(
    f"SELECT campaign_id, {window('event_time', 10)}, count(*) AS views, max(event_time) AS latest FROM {{rows}} "
    "WHERE event_type = 'view' GROUP BY ALL",
    ["campaign_id", start(10), "views", "epoch_us(latest)"],
    data=data_sql.ysb,
    lines=data_sql.ysb_lines,
)

SMART_GRID_KEY = "plug, household, house"

QUERIES = {
    "house": house("customer_id", False),
    "house.text": house("split_part(customer_id, '-', 2)::BIGINT", True),
    "ysb": YSB,
    "ysb.projected": YSB,
    "nexmark.q0": Query(
        "SELECT * FROM {rows}", ["auction", "bidder", "price", "epoch_us(date_time)"], data=data_sql.nexmark
    ),
    "nexmark.q1": Query(
        "SELECT auction, bidder, price * 0.908::DECIMAL(4, 3) AS price, date_time FROM {rows}",
        ["auction", "bidder", "(price * 1000)::BIGINT", "epoch_us(date_time)"],
        data=data_sql.nexmark,
    ),
    "nexmark.q2": Query(
        "SELECT auction, price FROM {rows} WHERE auction % 123 = 0", ["auction", "price"], data=data_sql.nexmark
    ),
    "nexmark.q5": Query(
        "SELECT auction, start, bids FROM (SELECT auction, start, count(*) AS bids, "
        "row_number() OVER (PARTITION BY start ORDER BY count(*) DESC, auction) AS place FROM "
        "(SELECT auction, epoch_us(date_time) // 2000000 * 2000000 - back * 2000000 AS start "
        "FROM {rows}, range(5) AS of_windows(back)) GROUP BY auction, start) WHERE place = 1",
        ["auction", "start", "start + 10000000", "bids"],
        data=data_sql.nexmark,
    ),
    "nexmark.q7": Query(
        "SELECT auction, bidder, price, date_time FROM (SELECT *, row_number() OVER "
        "(PARTITION BY epoch_us(date_time) // 10000000 ORDER BY price DESC, auction, bidder, date_time) AS place "
        "FROM {rows}) WHERE place = 1",
        ["auction", "bidder", "price", "epoch_us(date_time)"],
        data=data_sql.nexmark,
    ),
    "nexmark.q11": Query(
        "SELECT bidder, min(time) AS start, max(time) AS last, count(*) AS bids FROM (SELECT bidder, time, sum(is_new) "
        "OVER (PARTITION BY bidder ORDER BY time ROWS UNBOUNDED PRECEDING) AS session FROM (SELECT bidder, "
        "epoch_us(date_time) AS time, (lag(time) OVER (PARTITION BY bidder ORDER BY time) IS NULL OR "
        "time - lag(time) OVER (PARTITION BY bidder ORDER BY time) > 10000000)::INT AS is_new FROM {rows})) "
        "GROUP BY bidder, session",
        ["bidder", "start", "last + 10000000", "bids"],
        data=data_sql.nexmark,
    ),
    "nexmark.q12": Query(
        f"SELECT bidder, {window('date_time', 10)}, count(*) AS bids FROM {{rows}} GROUP BY ALL",
        ["bidder", start(10), "bids"],
        data=data_sql.nexmark,
    ),
    "nexmark.q17": Query(
        f"SELECT auction, {window('date_time', 86400)}, count(*) AS bids, min(price) AS lowest, max(price) AS highest, "
        "avg(price) AS mean, sum(price) AS total FROM {rows} GROUP BY ALL",
        ["auction", start(86400), "bids", "lowest", "highest", "total::BIGINT"],
        ["mean"],
        data=data_sql.nexmark,
    ),
    "cm1.tumbling": Query(
        f"SELECT category, {window('time', 60)}, sum(cpu) AS cpu FROM {{rows}} GROUP BY ALL",
        ["category", start(60)],
        ["cpu"],
        data=data_sql.cluster,
    ),
    "cm2.tumbling": Query(
        f"SELECT job_id, {window('time', 60)}, sum(cpu) AS cpu FROM {{rows}} WHERE event_type = 3 GROUP BY ALL",
        ["job_id", start(60)],
        ["cpu"],
        data=data_sql.cluster,
    ),
    "sg1.tumbling": Query(
        f"SELECT {window('time', 3600)}, avg(value) AS load FROM {{rows}} GROUP BY ALL",
        [start(3600)],
        ["load"],
        data=data_sql.smart_grid,
    ),
    "sg2.tumbling": Query(
        f"SELECT {SMART_GRID_KEY}, {window('time', 128)}, avg(value) AS load FROM {{rows}} GROUP BY ALL",
        ["plug", "household", "house", start(128)],
        ["load"],
        data=data_sql.smart_grid,
    ),
    "sg3.tumbling": Query(
        f"SELECT {SMART_GRID_KEY}, {window('time', 3600)}, avg(value) AS load FROM {{rows}} WHERE household = 3 "
        "GROUP BY ALL",
        ["plug", "household", "house", start(3600)],
        ["load"],
        data=data_sql.smart_grid,
    ),
}


def digest(query, table):
    """bench/support/digest.hpp in SQL."""
    row = "0::BIGINT"
    for value in query.wholes:
        row = f"(({row}) * 1000003 + ({value}) % 2147483647) % 2147483647"
    reals = "".join(f", sum({real})" for real in query.reals)
    return (
        f"SELECT count(*), coalesce(sum(h * h % 2147483647), 0)::BIGINT{reals} "
        f"FROM (SELECT *, ({row})::BIGINT AS h FROM {table})"
    )


def as_digest(row):
    return {"rows": row[0], "checksum": row[1], "reals": list(row[2:])}
