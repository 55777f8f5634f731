"""The rows of bench/data/*.hpp in SQL: the same formulas, so that the same options give the same rows."""

JANUARY = 1_767_225_600_000_000

STATUS = "ENUM('paid', 'cancelled', 'refunded')"
EVENT_TYPE = "ENUM('view', 'click', 'purchase')"


def numbers(rows, streams):
    """A relation of `i` and, for each stream s, the hash h<s> of bench/data/random.hpp. One query per step, because an
    expression that is written twice would be computed twice."""

    def step(make):
        return ", ".join(make(s) for s in streams)

    seeds = step(lambda s: f"(i::UBIGINT * 2654435761 + {s * 40503}) % 4294967296 AS a{s}")
    first = step(lambda s: f"(xor(a{s}, a{s} >> 15) * 739982445) % 4294967296 AS b{s}")
    second = step(lambda s: f"(xor(b{s}, b{s} >> 12) * 1597334677) % 4294967296 AS c{s}")
    hashes = step(lambda s: f"xor(c{s}, c{s} >> 15)::BIGINT AS h{s}")
    return (
        f"(SELECT i, {hashes} FROM (SELECT i, {second} FROM (SELECT i, {first} FROM "
        f"(SELECT i, {seeds} FROM range({rows}) AS r(i)))))"
    )


def house(options):
    customer = f"1 + h1 % {options.customers}"
    if options.half:
        customer = f"CASE WHEN h4 % 2 = 0 THEN 1 ELSE {customer} END"
    customer = f"format('customer-{{:07d}}', {customer})" if options.text else f"({customer})::BIGINT"
    return f"""SELECT {customer} AS customer_id, ((h2 % 100000)::DECIMAL(18, 2) * 0.01::DECIMAL(2, 2))::DECIMAL(18, 2)
      AS order_total, (['paid', 'cancelled', 'refunded'])[h3 % 3 + 1]::{STATUS} AS status,
      make_timestamp({JANUARY} + {options.hours} * 3600000000 * i // {options.rows}) AS event_time, i AS order_id
      FROM {numbers(options.rows, [1, 2, 3, 4])}"""


def ysb(options):
    return f"""SELECT (h1 % 100)::INTEGER AS campaign_id, (['view', 'click', 'purchase'])[h2 % 3 + 1]::{EVENT_TYPE}
      AS event_type, make_timestamp({JANUARY} + i // 100 * 1000) AS event_time
      FROM {numbers(options.rows, [1, 2])}"""


def nexmark(options):
    return f"""SELECT (CASE WHEN h1 % 2 = 0 THEN last_auction // 100 * 100
        ELSE oldest_auction + h2 % (last_auction - oldest_auction + 11) END)::BIGINT AS auction,
      (CASE WHEN h3 % 4 <> 0 THEN last_person // 100 * 100 + 1
        ELSE oldest_person + h4 % (last_person - oldest_person + 11) END)::BIGINT AS bidder,
      round(pow(10.0::DOUBLE, 6.0::DOUBLE * h5 / 4294967296.0::DOUBLE) * 100.0::DOUBLE)::BIGINT AS price,
      make_timestamp({JANUARY} + (cycle * 50 + 4 + i % 46) * 100) AS date_time
      FROM (SELECT *, greatest(last_auction - 100, 1000) AS oldest_auction,
          greatest(last_person - 1000, 1000) AS oldest_person
        FROM (SELECT *, i // 46 AS cycle, 1000 + i // 46 AS last_person, 1002 + i // 46 * 3 AS last_auction
          FROM {numbers(options.rows, [1, 2, 3, 4, 5])}))"""


def cluster(options):
    def part(stream):
        return f"((h{stream} % 1000)::FLOAT / 1000::FLOAT)::FLOAT"

    return f"""SELECT make_timestamp({JANUARY} + i * 1000) AS time, (h1 % 1000)::BIGINT AS job_id,
      (h2 % 64)::BIGINT AS task_id, (h3 % 12500)::BIGINT AS machine_id, (h4 % 9)::INTEGER AS event_type,
      (h5 % 300)::INTEGER AS user_id, (h6 % 4)::INTEGER AS category, (h7 % 12)::INTEGER AS priority,
      {part(8)} AS cpu, {part(9)} AS ram, {part(10)} AS disk, (h11 % 2)::INTEGER AS constraints
      FROM {numbers(options.rows, range(1, 12))}"""


def smart_grid(options):
    return f"""SELECT make_timestamp({JANUARY} + i * 1000) AS time,
      ((h1 % 10000)::FLOAT / 100::FLOAT)::FLOAT AS value, (h2 % 2)::INTEGER AS property,
      (h3 % 14)::INTEGER AS plug, (h4 % 4)::INTEGER AS household, (h5 % 40)::INTEGER AS house
      FROM {numbers(options.rows, [1, 2, 3, 4, 5])}"""


def house_lines(path, text):
    columns = {
        "customer_id": "VARCHAR" if text else "BIGINT",
        "order_total": "DECIMAL(18,2)",
        "status": "VARCHAR",
        "event_time": "TIMESTAMP",
        "order_id": "BIGINT",
    }
    return read_lines(path, columns)


def ysb_lines(path):
    texts = ["user_id", "page_id", "ad_id", "ad_type", "event_type"]
    columns = {name: "VARCHAR" for name in texts}
    columns |= {"event_time": "BIGINT", "ip_address": "VARCHAR", "campaign_id": "INTEGER"}
    return f"(SELECT * REPLACE (make_timestamp(event_time * 1000) AS event_time) FROM {read_lines(path, columns)})"


def read_lines(path, columns):
    types = ", ".join(f"{name}: '{kind}'" for name, kind in columns.items())
    return f"read_ndjson('{path}', columns = {{{types}}})"
