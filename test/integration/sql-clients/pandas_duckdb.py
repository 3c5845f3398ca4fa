"""Types of values as clickhouse-connect, pandas, Arrow and DuckDB have them. Arguments: port, path for a file."""

import decimal
import sys
import urllib.parse
import urllib.request

import clickhouse_connect
import duckdb

port = int(sys.argv[1])
file = sys.argv[2]
client = clickhouse_connect.get_client(host="127.0.0.1", port=port, username="analyst", database="ton")
amount, address = client.query("SELECT amount, address FROM latest_balances LIMIT 1").result_rows[0]
assert isinstance(amount, decimal.Decimal) and isinstance(address, str), (amount, address)
frame = client.query_df("SELECT block_date, block_time FROM transactions LIMIT 5")
assert all(str(kind).startswith("datetime64") for kind in frame.dtypes), frame.dtypes
assert client.query_arrow("SELECT hash, lt FROM transactions LIMIT 3").num_rows == 3
found = client.query("SELECT count() FROM messages WHERE direction = {side:String}", {"side": "in"})
assert found.result_rows[0][0] > 0

sql = urllib.parse.quote("SELECT block_date, seqno, root_hash FROM blocks FORMAT Parquet")
address = f"http://127.0.0.1:{port}/?query={sql}"
with open(file, "wb") as target:
    target.write(urllib.request.urlopen(address).read())
kinds = [row[1] for row in duckdb.sql(f"describe select * from '{file}'").fetchall()]
assert kinds == ["DATE", "INTEGER", "VARCHAR"], kinds
