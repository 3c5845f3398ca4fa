import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { AccountId } from './account-id.ts';
import { parts } from './key-lists.ts';
import { planDetected, planDetectedAmong } from './plan-detected.ts';
import type { TokenList } from './plan-tokens.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import type { TokenSource } from './token-filter.ts';
import { type ListedToken, type TokenKind, tokenRow } from './token-row.ts';

const TABLES = "'detections', 'detected_keys', 'found_codes', 'mintless_masters', 'mintless_amounts'";

/** Database of outcomes; undefined in a store of an older release, which keeps none, or not what they are found by. */
export async function detectionsOf(client: StoreClient, network: string): Promise<string | undefined> {
  const database = metaDatabase(network);
  const { rows } = await client.queryRows<[string]>(
    `SELECT toString(count()) FROM system.tables WHERE database = {database:String} AND name IN (${TABLES})`,
    { route: 'contracts/detections', params: { database } },
  );
  return rows[0]?.[0] === '5' ? database : undefined;
}

type Scope = Pick<ReadScope<never>, 'query'>;

/** Tokens that get methods tell: the first rows of a list, as many as its page ends with. */
export async function readDetected(
  { query }: Scope,
  source: TokenSource,
  list: TokenList,
): Promise<readonly ListedToken[]> {
  if (source.detected === null) return [];
  return (await query(planDetected(source, list))).map(detectedRow);
}

/** Tokens of some kinds among accounts that get methods tell. */
export async function readDetectedAmong(
  { query }: Scope,
  source: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly ListedToken[]> {
  if (source.detected === null || accounts.length === 0) return [];
  const rows = await Promise.all(
    parts(accounts).map((some) => query(planDetectedAmong(source, kinds, some))),
  );
  return rows.flat().map(detectedRow);
}

/** `get_nft_content` of its collection told the content of an item. */
function detectedRow(row: RawRow): ListedToken {
  return { ...tokenRow(row), isWhole: true };
}

/** Rows of one list and another without those that it has already, of the same account and kind. */
export function withDetected<T extends Pick<ListedToken, 'kind' | 'address'>>(
  known: readonly T[],
  detected: readonly T[],
): readonly T[] {
  const has = new Set(known.map(({ kind, address }) => `${kind} ${address}`));
  return [...known, ...detected.filter(({ kind, address }) => !has.has(`${kind} ${address}`))];
}
