import { LRUCache } from 'lru-cache';
import type { ElectorState } from '../../ton/contracts/elector/elector-state.ts';
import type { SuspendedList } from '../../ton/contracts/suspended-list.ts';
import type { ServeContext } from '../serve-context.ts';
import type { VisibleRange } from '../version-vector.ts';
import type { AccountStateRow } from './account-state-row.ts';
import type { BlockRow } from './block-row.ts';

/** The newest code of an account when it was read, and its expiry. */
export interface KnownCode {
  /** Base64. */
  readonly code: string;
  /** The visible range that it was read in. */
  readonly range: string;
  /** Unix time, milliseconds. */
  readonly until: number;
}

/** Logical times of a block, decimal text. */
export interface BlockRange {
  readonly startLt: string;
  readonly endLt: string;
}

/** The lt of a list's last row when it was read, decimal text, and until when it is worth looking from there. */
export interface KnownEdge {
  readonly lt: string;
  /** Unix time, milliseconds. */
  readonly until: number;
}

/** Bytes of an entry of `contents` in addition to its bag. */
const CONTENT_BYTES = 256;

/**
 * Caches between answers of one version of the projection, each bounded (some 130 MB when all are full). States and
 * blocks never change; codes go stale.
 */
export class AnswerCaches {
  /** Newest codes by raw address. */
  readonly codes = new LRUCache<string, KnownCode>({ max: 200_000 });
  /** States by the base64 of their hash. */
  readonly states = new LRUCache<string, AccountStateRow>({ max: 50_000 });
  /** Account addresses and hashes of states that the store did not have, and the visible range that this is true of. */
  readonly absent = new LRUCache<string, string>({ max: 100_000 });
  /** Configurations (base64) by the seqno of their key block; of mainnet 100 KB each. */
  readonly configs = new LRUCache<string, string>({ max: 32 });
  /** States of the elector by masterchain seqno; of mainnet a few hundred KB each. */
  readonly electors = new LRUCache<number, ElectorState>({ max: 32 });
  /** Lists of suspended accounts, by the first visible seqno and their key block's; about 200 accounts on mainnet. */
  readonly suspended = new LRUCache<string, { readonly list: SuspendedList | null }>({ max: 32 });
  /** Ends of lists of all transactions by their page as text. */
  readonly edges = new LRUCache<string, KnownEdge>({ max: 1_000 });
  /** How small a share of the external-in messages filled a page, by the end of their order. */
  readonly depths = new LRUCache<string, number>({ max: 2, ttl: 60_000 });
  /** Accounts, by raw address, with so many transactions that their pages are read separately. */
  readonly busy = new LRUCache<string, true>({ max: 50_000 });
  /** Accounts, by raw address, with so many cells that a state's cells are read by their keys. */
  readonly manyCells = new LRUCache<string, true>({ max: 50_000 });
  /** Bags of the code and of the data of states by the hash (base64) of their root. */
  readonly contents = new LRUCache<string, Uint8Array>({
    maxSize: 32 * 1024 ** 2,
    sizeCalculation: (bag) => bag.length + CONTENT_BYTES,
  });
  /** Ranges of visible blocks by their id as text. */
  readonly blocks = new LRUCache<string, BlockRange>({ max: 50_000 });
  /** Masterchain blocks by seqno; some 1.5 KB each. */
  readonly masterchain = new LRUCache<number, BlockRow>({ max: 4_096 });
}

/** Names a visible range: absence is valid as long as the range is. */
export function rangeName({ first, last }: VisibleRange): string {
  return `${first}-${last}`;
}

const CACHES = new WeakMap<ServeContext, { database: string; caches: AnswerCaches }>();

/** The caches of a server for the version that it reads now. */
export function getCaches(context: ServeContext, database: string): AnswerCaches {
  const found = CACHES.get(context);
  if (found?.database === database) return found.caches;
  const caches = new AnswerCaches();
  CACHES.set(context, { database, caches });
  return caches;
}
