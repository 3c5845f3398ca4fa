import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { startUp } from '../helpers/started-up.ts';

const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'tonhouse-sql-clients-'));
const python = join(directory, 'venv', 'bin', 'python');

/** Types of values as pandas and DuckDB have them. */
const SCRIPT = `
import datetime, decimal, sys, urllib.parse, urllib.request
import clickhouse_connect, duckdb
port = int(sys.argv[1])
client = clickhouse_connect.get_client(host='127.0.0.1', port=port, username='analyst', database='ton')
amount, address = client.query('SELECT amount, address FROM latest_balances LIMIT 1').result_rows[0]
assert isinstance(amount, decimal.Decimal) and isinstance(address, str), (amount, address)
frame = client.query_df('SELECT block_date, block_time FROM transactions LIMIT 5')
assert all(str(kind).startswith('datetime64') or '<M8' in str(kind) for kind in frame.dtypes), frame.dtypes
assert client.query_arrow('SELECT hash, lt FROM transactions LIMIT 3').num_rows == 3
sql = urllib.parse.quote('SELECT block_date, seqno, root_hash FROM blocks FORMAT Parquet')
file = sys.argv[2]
open(file, 'wb').write(urllib.request.urlopen(f'http://127.0.0.1:{port}/?query={sql}').read())
kinds = [row[1] for row in duckdb.sql(f"describe select * from '{file}'").fetchall()]
assert kinds == ['DATE', 'INTEGER', 'VARCHAR'], kinds
`;

let isInstalled = false;
let up: Awaited<ReturnType<typeof startUp>> | undefined;

beforeAll(async () => {
  try {
    await run('python3', ['-m', 'venv', join(directory, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '-q', 'clickhouse-connect', 'duckdb', 'pandas', 'pyarrow']);
    isInstalled = true;
  } catch {
    return;
  }
  up = await startUp(['--data', join(directory, 'data'), '--traffic', '5', '--sql-port', '0']);
}, 600_000);
afterAll(async () => {
  await up?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it('clickhouse-connect, pandas and DuckDB read decimals, dates and text', async (context) => {
  if (!isInstalled || !up)
    return context.skip('clickhouse-connect, duckdb, pandas and pyarrow cannot be installed');
  const port = /"sql":"http:[^"]+:(\d+)"/.exec(up.text.stdout + up.text.stderr)?.[1] ?? '';
  const script = join(directory, 'clients.py');
  writeFileSync(script, SCRIPT);
  await run(python, [script, port, join(directory, 'blocks.parquet')]);
}, 120_000);
