import { INPUT, PROJECTIONS } from '../../../pipelines/projections.ts';
import { getPartitions } from '../../../src/engine/projection/projection.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';

/** Facts, by name, that are the same in two indexes of one chain, whatever happened to them meanwhile. */
export type Picture = Readonly<Record<string, string>>;

/** The rows that readers see of tables that they read otherwise than merged (FINAL). */
const READ_AS: Readonly<Record<string, string>> = {
  accounts_latest: 'SELECT * FROM {table} ORDER BY lt DESC LIMIT 1 BY account, workchain',
  account_codes: 'SELECT * FROM {table} ORDER BY lt DESC LIMIT 1 BY account, workchain',
  tokens_latest: 'SELECT * FROM {table} ORDER BY lt DESC LIMIT 1 BY account, workchain, kind',
  tokens_ranked:
    'SELECT parent, parent_workchain, kind, child_code, amount, account, workchain, sum(net) AS net FROM {table} GROUP BY ALL HAVING net != 0',
  balances_ranked:
    'SELECT balance, account, workchain, lt, sum(net) AS net FROM {table} GROUP BY ALL HAVING net != 0',
};

const route = 'simulation';

/** The tables of a projection's database, and what is confirmed of it. */
export async function storePicture(client: StoreClient, db: string): Promise<Picture> {
  return { confirmed: await confirmedCover(client, db), ...(await tableFacts(client, db)) };
}

/** The first versions of every projection of a network; in chain order each partition confirms for itself. */
export async function networkPicture(client: StoreClient, network: string): Promise<Picture> {
  const picture: Record<string, string> = {};
  for (const projection of PROJECTIONS) {
    const db = getDatabase({ network }, projection);
    const partitions = getPartitions(projection);
    if (partitions === null) Object.assign(picture, await storePicture(client, db));
    else
      for (const [name, fact] of Object.entries(await partitionedPicture(client, db, partitions)))
        picture[`${projection.name}: ${name}`] = fact;
  }
  return picture;
}

async function partitionedPicture(client: StoreClient, db: string, partitions: number): Promise<Picture> {
  const facts: Record<string, string> = { ...(await tableFacts(client, db)) };
  for (let partition = 0; partition < partitions; partition++)
    facts[`confirmed of partition ${partition}`] = await confirmedCover(client, db, partition);
  return facts;
}

/** Count and two order-independent checksums of every table, over the text of all columns. */
async function tableFacts(client: StoreClient, db: string): Promise<Picture> {
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT name, engine FROM system.tables WHERE database = {db:String} AND endsWith(engine, 'MergeTree') AND name != 'confirmed'
     ORDER BY name`,
    { route, params: { db } },
  );
  const facts: Record<string, string> = {};
  for (const [name, engine] of rows) {
    const usual = `SELECT * FROM {table}${engine === 'MergeTree' ? '' : ' FINAL'}`;
    const source = (READ_AS[name] ?? usual).replace('{table}', `${db}.${name}`);
    facts[name] = await rowSums(client, source);
  }
  return facts;
}

/** Count and two order-independent checksums of the rows of a statement, over the text of all columns. */
export async function rowSums(client: StoreClient, statement: string): Promise<string> {
  const digest = await client.queryRows<string[]>(
    `SELECT count(), hex(sum(hash)), hex(groupBitXor(hash)) FROM
       (SELECT reinterpretAsUInt128(sipHash128(toString(tuple(*)))) AS hash FROM (${statement}))`,
    { route, timeoutMs: 120_000 },
  );
  const [count, sum, xor] = digest.rows[0] ?? [];
  return `${count} rows, sum ${sum}, xor ${xor}`;
}

/** The joined confirmed ranges: one range if they are consecutive, none of them twice. */
async function confirmedCover(client: StoreClient, db: string, partition?: number): Promise<string> {
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT DISTINCT first, last FROM ${db}.confirmed ${partition === undefined ? '' : `WHERE lane = ${partition}`}
     ORDER BY first, last`,
    { route },
  );
  const cover: [number, number][] = [];
  for (const [first, last] of rows) {
    const before = cover.at(-1);
    if (before && before[1] + 1 === first) before[1] = last;
    else cover.push([first, last]);
  }
  return cover.map(([first, last]) => `${first}…${last}`).join(' ');
}

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** Rows of all tables that pictures compare, by projection; rows of topics as `topics`. */
export function rowsOf(...pictures: readonly Picture[]): RowCounts {
  const counts: Record<string, number> = Object.fromEntries(PROJECTIONS.map(({ name }) => [name, 0]));
  for (const [what, fact] of pictures.flatMap(Object.entries<string>)) {
    const rows = Number(/^(\d+) rows/.exec(fact)?.[1] ?? 0);
    const place = what.startsWith('topic ') ? 'topics' : (/^(\w+): /.exec(what)?.[1] ?? INPUT.name);
    if (rows > 0) counts[place] = (counts[place] ?? 0) + rows;
  }
  return counts;
}

/** Counts of several pictures together. */
export function sumOfRows(counts: readonly RowCounts[]): RowCounts {
  const sum: Record<string, number> = {};
  for (const [place, rows] of counts.flatMap(Object.entries<number>)) sum[place] = (sum[place] ?? 0) + rows;
  return sum;
}

/** The text for a report. */
export function rowsText(counts: RowCounts): string {
  return Object.entries(counts)
    .map(([place, rows]) => `${place} ${rows}`)
    .join(', ');
}
