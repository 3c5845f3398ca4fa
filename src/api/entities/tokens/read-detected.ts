import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import { parts } from '../../query/key-lists.ts';
import type { RawRow, ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import type { ServeContext } from '../../serve-context.ts';
import type { DetectedTables, TokenSource } from './filter.ts';
import { type ListedToken, type TokenKind, type TokenState, tokenRows, tokenStates } from './model.ts';
import type { TokenList } from './plan.ts';
import { planAnyDetected, planAttempted, planDetected, planDetectedAmong } from './plan-detected.ts';

type DetectionContext = Pick<ServeContext, 'vector'>;

/** Database of the served version of `detections`; null if there is none. */
export function detectionsDatabase({ vector }: DetectionContext): string | null {
  const { detections } = vector();
  return detections.state === 'served' ? detections.database : null;
}

/** Tables of contracts other than tokens; null if there are none. */
export function detectedTables(context: DetectionContext): DetectedTables | null {
  const database = detectionsDatabase(context);
  if (database === null) return null;
  return { contracts: `${database}.detected_contracts`, keys: `${database}.detected_contract_keys` };
}

type Scope = Pick<ReadScope<never>, 'query' | 'queryBytes' | 'share'>;

/** Detected tokens: the first rows of a list, up to the end of its page. */
export async function readDetected(
  { query, queryBytes }: Scope,
  source: TokenSource,
  list: TokenList,
): Promise<readonly ListedToken[]> {
  if (source.detected === null) return [];
  const any = await query(planAnyDetected(source, list.filter));
  return any.length === 0 ? [] : tokenRows(await queryBytes(planDetected(source, list))).map(toComplete);
}

/** Detected tokens of some kinds among accounts. */
export async function readDetectedAmong(
  scope: Scope,
  source: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly ListedToken[]> {
  const { detected } = source;
  if (detected === null || accounts.length === 0) return [];
  const readOutcomes = async (some: readonly AccountId[]) => {
    const has = await scope.share(ATTEMPTED, some.map(rawAddress), detected);
    const attempted = some.filter((account) => has.has(rawAddress(account)));
    return attempted.length === 0
      ? []
      : tokenStates(await scope.queryBytes(planDetectedAmong(source, kinds, attempted)));
  };
  return newestOutcomes((await Promise.all(parts(accounts).map(readOutcomes))).flat());
}

/** Raw addresses of accounts that get methods were asked of, and perhaps of others, by database. */
const ATTEMPTED = new SharedLookUp<ReadonlySet<string>, string>(async (scope, addresses, detected) => {
  const rows = await scope.query(planAttempted(detected, addresses.map(accountOfRaw)));
  return new Set(rows.map((row) => rawAddress(accountOfRow(row))));
});

function accountOfRow([workchain, hash]: RawRow): AccountId {
  return { workchain: Number(workchain), hash: String(hash) };
}

/** The newest outcome of each account and kind, if it is positive. */
function newestOutcomes(outcomes: readonly TokenState[]): readonly ListedToken[] {
  const newest = new Map<string, TokenState>();
  for (const outcome of outcomes) {
    const { kind, address, lt } = outcome.token;
    const key = `${kind} ${address}`;
    const known = newest.get(key);
    if (!known || BigInt(lt) >= BigInt(known.token.lt)) newest.set(key, outcome);
  }
  return [...newest.values()].flatMap(({ token, isGone }) => (isGone ? [] : [toComplete(token)]));
}

/** `get_nft_content` of its collection returned the content of an item. */
function toComplete(token: ListedToken): ListedToken {
  return { ...token, isComplete: true };
}

/** Rows of one list and another without those that it has already, of the same account and kind. */
export function withDetected<T extends Pick<ListedToken, 'kind' | 'address'>>(
  known: readonly T[],
  detected: readonly T[],
): readonly T[] {
  const has = new Set(known.map(({ kind, address }) => `${kind} ${address}`));
  return [...known, ...detected.filter(({ kind, address }) => !has.has(`${kind} ${address}`))];
}
