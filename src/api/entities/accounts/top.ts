import type { ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import type { ServeContext } from '../../serve-context.ts';
import { advanceHead, type RankedAccount, type RankedHead, readRankedHead } from './ranking.ts';

/** A cached head of the ranking, and its source. */
interface CachedHead extends RankedHead {
  readonly database: string;
  readonly first: number;
  readonly last: number;
  /** Unix time, milliseconds, of the complete read: additions to visible steps appear with a delay. */
  readonly readAt: number;
}

/**
 * The whole head is read again after this time: given states and retried dead letters belong to steps that were visible
 * before.
 */
const TTL_MS = 60_000;
/** Pages that end further down are read for each request. */
const MAX_CACHED = 4_096;
/** Changed accounts leave a head that is brought up to date: from the beginning it has more than is asked for. */
const MIN_CACHED = 1_024;

/** One head a server: of the last requested version and range. */
const CACHED = new WeakMap<ServeContext, CachedHead>();

const HEADS = new SharedLookUp<RankedHead>(async (scope, lengths) =>
  readCached(scope, Math.max(...lengths.map(Number))),
);

/**
 * A page of the accounts with the largest balances as of the visible head, largest first. From the cache for the same
 * blocks; otherwise the head is updated by the changed accounts, once for all concurrent requests.
 */
export async function topAccounts(
  scope: ReadScope,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly RankedAccount[]> {
  const wanted = limit + offset;
  const cached = CACHED.get(scope.context);
  const head =
    cached && isCurrent(cached, scope) && isEnough(cached, wanted) ? cached : await read(scope, wanted);
  return head.accounts.slice(offset, wanted);
}

function read(scope: ReadScope, wanted: number): Promise<RankedHead> {
  return wanted > MAX_CACHED ? readRankedHead(scope, wanted) : HEADS.find(scope, [`${wanted}`]);
}

async function readCached(scope: ReadScope, wanted: number): Promise<RankedHead> {
  const { context, databases, visible } = scope;
  const cached = CACHED.get(context);
  const advanced = cached && canAdvance(cached, scope) ? await advanceHead(scope, cached, cached.last) : null;
  const isGood = advanced !== null && isEnough(advanced, wanted);
  const head = isGood ? advanced : await readRankedHead(scope, Math.max(wanted, MIN_CACHED));
  const readAt = isGood && cached ? cached.readAt : performance.now();
  const newest = CACHED.get(context);
  // A request that began before the last block came does not put its older head in place of the newer one.
  if (!newest || newest.database !== databases.base || newest.last <= visible.last)
    CACHED.set(context, { ...head, database: databases.base, ...visible, readAt });
  return head;
}

function isFresh({ readAt }: CachedHead): boolean {
  return performance.now() - readAt < TTL_MS;
}

function isCurrent(cached: CachedHead, { databases, visible }: ReadScope): boolean {
  const isOfRange = cached.first === visible.first && cached.last === visible.last;
  return cached.database === databases.base && isOfRange && isFresh(cached);
}

/** Blocks were added at the head only. */
function canAdvance(cached: CachedHead, { databases, visible }: ReadScope): boolean {
  const isBefore = cached.first === visible.first && cached.last < visible.last;
  return cached.database === databases.base && isBefore && isFresh(cached);
}

/** A head without an end has all accounts there are. */
function isEnough({ accounts, end }: RankedHead, wanted: number): boolean {
  return accounts.length >= wanted || end === null;
}
