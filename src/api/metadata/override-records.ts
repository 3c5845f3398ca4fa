import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { TokenOverride } from '../metadata-port.ts';

const route = 'metadata/overrides';
/** Overrides beyond this are not read: every server has the list in memory. */
const MAX = 100_000;

/** A stored override. */
export interface OverrideRecord extends Omit<TokenOverride, 'content'> {
  /** Raw, upper-case digits. */
  readonly address: string;
  /** JSON object of attributes; empty for none. */
  readonly content: string;
}

type Row = readonly [address: string, content: string, isNsfw: boolean, isScam: boolean];

/** The overrides of a network that hold, by address. */
export async function readOverrides(
  client: StoreClient,
  network: string,
): Promise<readonly OverrideRecord[]> {
  const { rows } = await client.queryRows<[...Row]>(
    `SELECT address, argMax(content, at), argMax(is_nsfw, at), argMax(is_scam, at)
     FROM ${metaDatabase(network)}.token_overrides GROUP BY address
     HAVING NOT argMax(is_removed, at) ORDER BY address LIMIT {most:UInt32}`,
    { route, params: { most: MAX }, settings: { max_threads: 1 } },
  );
  return rows.map(([address, content, isNsfw, isScam]) => ({ address, content, isNsfw, isScam }));
}

/** Adds an override, in place of the one that the address has. */
export async function writeOverride(
  client: StoreClient,
  network: string,
  override: OverrideRecord,
): Promise<void> {
  await insert(client, network, { ...override, isRemoved: false });
}

/** Takes the override of an address back. */
export async function removeOverride(client: StoreClient, network: string, address: string): Promise<void> {
  await insert(client, network, { address, content: '', isNsfw: false, isScam: false, isRemoved: true });
}

/** The row counts as newer than the address's others, whatever clock wrote them. */
async function insert(
  client: StoreClient,
  network: string,
  { address, content, isNsfw, isScam, isRemoved }: OverrideRecord & { readonly isRemoved: boolean },
): Promise<void> {
  const table = `${metaDatabase(network)}.token_overrides`;
  await client.command(
    `INSERT INTO ${table} (address, content, is_nsfw, is_scam, is_removed, at)
     SELECT {address:String}, {content:String}, {nsfw:Bool}, {scam:Bool}, {removed:Bool},
       greatest(now64(3), (SELECT max(at) FROM ${table} WHERE address = {address:String}) + toIntervalMillisecond(1))`,
    { route, params: { address, content, nsfw: isNsfw, scam: isScam, removed: isRemoved } },
  );
}
