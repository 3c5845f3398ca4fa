"""What Superset does with a database: its driver is clickhouse-connect's dialect of SQLAlchemy. Argument: port."""

import datetime
import decimal
import sys

import sqlalchemy

engine = sqlalchemy.create_engine(f"clickhousedb://analyst@127.0.0.1:{sys.argv[1]}/ton")
inspector = sqlalchemy.inspect(engine)
assert "ton" in inspector.get_schema_names()
names = set(inspector.get_table_names("ton")) | set(inspector.get_view_names("ton"))
assert {"messages", "jetton_events", "dex_trades"} <= names, names
columns = {column["name"]: column for column in inspector.get_columns("jetton_events", "ton")}
assert {"amount", "block_date", "block_time"} <= columns.keys(), columns.keys()

# The statement of a chart: a time grain, a metric, a filter and a limit.
CHART = """
SELECT toStartOfDay(block_time) AS day, sum(amount) AS volume, count(*) AS events
FROM ton.jetton_events
WHERE block_time >= toDateTime('2020-01-01 00:00:00') AND type = 'transfer'
GROUP BY toStartOfDay(block_time) ORDER BY volume DESC LIMIT 10
"""
with engine.connect() as connection:
    day, volume, events = connection.execute(sqlalchemy.text(CHART)).fetchone()
assert isinstance(day, datetime.datetime), day
assert isinstance(volume, (decimal.Decimal, int)) and events > 0, (volume, events)
