"""The queries of the suite on DuckDB: rows from a file of lines, or from a table in memory."""

import duckdb

import arguments
import protocol
import queries_sql


def main():
    options = arguments.parse()
    query = queries_sql.QUERIES[options.query]
    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order = false; SET TimeZone = 'UTC'")
    if options.input:
        rows = query.lines(options.input)
    else:
        connection.execute(f"CREATE TABLE data AS {query.data(options)}")
        rows = "data"
    # The rows may be made with all cores, the query gets as many as are compared.
    connection.execute(f"SET threads = {options.threads}")
    ask = query.sql.format(rows=rows)

    def run():
        connection.execute(f"CREATE OR REPLACE TEMP TABLE outcome AS {ask}")

    protocol.serve(
        f"duckdb {duckdb.__version__}",
        run,
        lambda: queries_sql.as_digest(connection.execute(queries_sql.digest(query, "outcome")).fetchone()),
    )


if __name__ == "__main__":
    main()
