/**
 * Runs one SQL statement on the embedded store of a running tonhouse and prints each row as JSON.
 *
 *   npx node examples/query-sql.ts "SELECT count() FROM localnet_base_v1.transactions" [DATA]
 *
 * DATA is the data directory, ./data by default. The user can only read.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [sql, data = process.env.TONHOUSE_DATA ?? 'data'] = process.argv.slice(2);
if (sql === undefined) {
  console.error('usage: npx node examples/query-sql.ts STATEMENT [DATA]');
  process.exit(2);
}

const { url, readPassword } = JSON.parse(readFileSync(join(data, 'clickhouse/server.json'), 'utf8')) as {
  readonly url: string;
  readonly readPassword: string;
};

const answer = await fetch(`${url}/?default_format=JSONEachRow`, {
  method: 'POST',
  headers: { 'X-ClickHouse-User': 'tonhouse_reader', 'X-ClickHouse-Key': readPassword },
  body: sql,
});
const text = await answer.text();
if (!answer.ok) {
  console.error(text);
  process.exit(1);
}
process.stdout.write(text);
