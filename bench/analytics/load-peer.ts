import { Readable } from 'node:stream';
import type { BenchStore } from '../common/bench-store.ts';
import { note } from '../common/report.ts';
import { type LakeColumn, PEER_TABLES, type PeerTable, peerType, peerValue } from './peer-tables.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Database of the lake in a store of the default settings. */
const LAKE = 'ton';

/** Fills the peer's tables with the rows of the lake, then makes their indexes and statistics. */
export async function loadPeer(store: BenchStore, postgres: PostgresServer): Promise<void> {
  for (const table of PEER_TABLES) {
    const { rows } = await store.client.queryRows<[string, string]>(`DESCRIBE TABLE ${LAKE}.${table.from}`, {
      route: 'bench',
    });
    const columns = rows
      .map(([name, type]): LakeColumn => ({ name, type }))
      .filter(({ name }) => !table.without.includes(name));
    await loadTable(store, postgres, table, columns);
    note(`PostgreSQL has ${table.name}`);
  }
  // Names of codes are constants of the peer's API; here they are a table.
  await postgres.run('CREATE TABLE codes (code_hash bytea PRIMARY KEY, interfaces text[]);');
  const codes = `SELECT ${peerValue({ name: 'code_hash', type: '' })}, concat('{', arrayStringConcat(interfaces, ','), '}')
    FROM ${LAKE}.accounts WHERE code_hash IS NOT NULL LIMIT 1 BY code_hash`;
  await postgres.copy('codes', await readText(store, codes));
  await postgres.run('VACUUM ANALYZE;');
}

async function loadTable(
  store: BenchStore,
  postgres: PostgresServer,
  { name, from, keys, indexes }: PeerTable,
  columns: readonly LakeColumn[],
): Promise<void> {
  const fields = columns.map((column) => `${column.name} ${peerType(column)}`);
  await postgres.run(`CREATE TABLE ${name} (${fields.join(', ')});`);
  const values = columns.map((column) => `${peerValue(column)} AS _${column.name}`);
  await postgres.copy(name, await readText(store, `SELECT ${values.join(', ')} FROM ${LAKE}.${from}`));
  const made = indexes.map((index) => `CREATE INDEX ON ${name} ${index};`);
  await postgres.run(`ALTER TABLE ${name} ADD PRIMARY KEY (${keys.join(', ')}); ${made.join(' ')}`);
}

/** Rows of a statement in the text form that both databases have. */
async function readText({ url, user, password }: BenchStore, sql: string): Promise<Readable> {
  const answer = await fetch(`${url}/?max_memory_usage=0`, {
    method: 'POST',
    body: `${sql} FORMAT TSV`,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
  });
  if (!answer.ok || !answer.body) throw new Error(await answer.text());
  return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
}
