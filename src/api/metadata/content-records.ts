import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import { TOKEN_CONTENTS } from '../../tables/meta/metadata.ts';
import { writtenTypes } from '../../tables/table.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { toHashSet } from '../query/keys.ts';
import { identifier, type Sql, sql } from '../query/sql.ts';

/** Record of a link: its content, and when it is asked for again. */
export interface ContentRecord {
  readonly link: string;
  /** JSON; empty where nothing could be read yet. */
  readonly content: string;
  /** Failures in a row. */
  readonly failures: number;
  /** When it is asked for again, Unix seconds. */
  readonly nextAt: number;
}

const ROUTE = 'metadata/contents';
const hashLink = (link: string) => sha256(new TextEncoder().encode(link));

/** True if the network's database has the tables of off-chain facts; older releases have none. */
export async function hasContents(client: StoreClient, network: string): Promise<boolean> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT toString(count()) FROM system.tables
     WHERE database = {database:String} AND name IN ('token_contents', 'token_overrides')`,
    { route: ROUTE, params: { database: metaDatabase(network) } },
  );
  return rows[0]?.[0] === '2';
}

/** The newest records of links; those that were never asked for have none. */
export function contentsStatement(network: string, links: readonly string[]): Sql {
  const hashes = toHashSet(links.map((link) => toHex(hashLink(link))));
  return sql`SELECT argMax(link, at), argMax(content, at), argMax(failures, at), argMax(next_at, at) FROM ${identifier(metaDatabase(network), 'token_contents')} WHERE link_hash IN ${hashes} GROUP BY link_hash`;
}

/** Reads a row of `contentsStatement`. */
export function contentRecord(row: readonly unknown[]): ContentRecord {
  const [link, content, failures, nextAt] = row;
  return { link: String(link), content: String(content), failures: Number(failures), nextAt: Number(nextAt) };
}

/** As the API reads them, for the fetcher. */
export async function readContents(
  client: StoreClient,
  network: string,
  links: readonly string[],
): Promise<readonly ContentRecord[]> {
  const { sql: text, params } = contentsStatement(network, links).render(null);
  const { rows } = await client.queryRows(text, { route: ROUTE, params, settings: { max_threads: 1 } });
  return rows.map(contentRecord);
}

/** Adds records, each the newest of its link. */
export async function writeContents(
  client: StoreClient,
  network: string,
  records: readonly ContentRecord[],
): Promise<void> {
  const table = new TableBuilder(TOKEN_CONTENTS.name, writtenTypes(TOKEN_CONTENTS));
  for (const { link, content, failures, nextAt } of records) {
    const { col } = table;
    col.link_hash.push(hashLink(link));
    col.link.push(Buffer.from(link));
    col.content.push(Buffer.from(content));
    col.failures.push(Math.min(failures, 255));
    col.next_at.push(nextAt);
    table.endRow();
  }
  await client.insertNative(`${metaDatabase(network)}.token_contents`, encodeNativeBlock(table), {
    route: ROUTE,
  });
}
