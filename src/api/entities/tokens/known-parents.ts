import { LRUCache } from 'lru-cache';
import { type AccountId, accountOfRaw, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { accountCondition } from '../../query/key-lists.ts';
import type { ReadScope } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { TokenSource } from './filter.ts';
import type { TokenKind, TokenRow } from './model.ts';

/** Kinds that count only if their parent knows them, and its kind. */
const PARENTS: Readonly<Partial<Record<TokenKind, TokenKind>>> = {
  jetton_wallet: 'jetton_master',
  nft_item: 'nft_collection',
};

/** Kind of the contract that has to name the code of a token of this kind; undefined for kinds that need none. */
export function parentKind(kind: TokenKind): TokenKind | undefined {
  return PARENTS[kind];
}

/**
 * Set (parent, its workchain, its named code) of the masters or collections among some accounts. `accounts`: a
 * condition; null: all, for a list without a filter. A master may be detected by its get methods; collections' methods
 * return no code.
 */
export function namedCodes(
  { database, detected }: Pick<TokenSource, 'database' | 'detected'>,
  kind: TokenKind,
  accounts: string | null,
): string {
  const among = `${accounts === null ? '' : `${accounts} AND `}kind = '${kind}'`;
  const of = `${among} AND mc_seqno <= {visible_last:UInt32}`;
  // A master whose newest state is above the visible range was one before: its named code rarely changes.
  const latest = `tokens_latest WHERE ${among} AND since <= {visible_last:UInt32}`;
  const table = accounts === null ? `token_firsts WHERE ${of}` : latest;
  const known = `SELECT account, workchain, child_code FROM ${database}.${table}`;
  if (detected === null || kind !== 'jetton_master') return `(${known})`;
  const newest = `SELECT account, workchain, child_code, reason FROM ${detected}.detections WHERE ${of} ORDER BY lt DESC LIMIT 1 BY account, workchain`;
  return `(${known} UNION ALL SELECT account, workchain, child_code FROM (${newest}) WHERE reason = '')`;
}

/** How long what a master or collection names counts as its newest word, milliseconds. */
const FRESH_MS = 60_000;
/** Codes that masters and collections name, by database. */
const NAMED = new LRUCache<string, true>({ max: 100_000, ttl: FRESH_MS });

/** A wallet or an item, by its parent and the code that this one must name. */
export type Child = Pick<TokenRow, 'kind' | 'parent' | 'childCode'>;

/**
 * Rows whose parent names their code, and rows of kinds that need no parent. One query for values outside the cache.
 */
export async function namedByParents<T extends Child>(
  scope: Pick<ReadScope<never>, 'query'>,
  source: TokenSource,
  tokens: readonly T[],
): Promise<readonly T[]> {
  const toName = ({ kind, parent, childCode }: Child) =>
    `${source.database} ${PARENTS[kind]} ${parent} ${childCode}`;
  const children = tokens.filter(({ kind, parent }) => PARENTS[kind] && parent !== null);
  const named = new Set(children.map(toName).filter((name) => NAMED.has(name)));
  const open = children.filter((child) => !named.has(toName(child)));
  const parents = distinctAccounts(open.map(({ parent }) => accountOfRaw(parent as string)));
  const kinds = new Set(open.flatMap(({ kind }) => PARENTS[kind] ?? []));
  for (let at = 0; at < parents.length; at += PARENTS_AT_ONCE) {
    const rows = await scope.query(planNamed(source, kinds, parents.slice(at, at + PARENTS_AT_ONCE)));
    for (const [kind, workchain, hash, code] of rows) {
      const parent = rawAddress({ workchain: Number(workchain), hash: String(hash) });
      const name = `${source.database} ${kind} ${parent} ${code}`;
      named.add(name);
      NAMED.set(name, true);
    }
  }
  return tokens.filter((one) => !PARENTS[one.kind] || (one.parent !== null && named.has(toName(one))));
}

/** Parents of one statement. */
const PARENTS_AT_ONCE = 1_000;

/** Codes that accounts name as parents of some kinds. */
function planNamed(
  source: TokenSource,
  kinds: ReadonlySet<TokenKind>,
  parents: readonly AccountId[],
): Statement {
  const conditions = accountCondition(parents, new Conditions()).bind({ visible_last: source.visible.last });
  const named = [...kinds].map(
    (kind) =>
      `SELECT '${kind}' AS kind, workchain, hex(account), base64Encode(child_code) FROM ${namedCodes(source, kind, conditions.text)}`,
  );
  return conditions.statement(named.join(' UNION ALL '));
}
