import type { ServeContext, VisibleRange } from '../serve-context.ts';
import type { AccountStateRow } from './account-state-row.ts';
import { Remembered } from './remembered.ts';

/** The newest code of an account as it was read, and until when that counts. */
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

/**
 * What a server remembers between answers, each bounded (some 100 MB when all are full): of one version of the
 * projection. States and blocks never change; codes go stale.
 */
export class AnswerCaches {
  /** Newest codes by raw address. */
  readonly codes = new Remembered<KnownCode>(200_000);
  /** States by the base64 of their hash. */
  readonly states = new Remembered<AccountStateRow>(50_000);
  /** Account addresses and hashes of states that the store did not have, and the visible range that this is true of. */
  readonly absent = new Remembered<string>(100_000);
  /** Configurations (base64) by the seqno of their key block; of mainnet 100 KB each. */
  readonly configs = new Remembered<string>(32);
  /** Ends of lists of all transactions by their page as text. */
  readonly edges = new Remembered<KnownEdge>(1_000);
  /** Ranges of visible blocks by their id as text. */
  readonly blocks = new Remembered<BlockRange>(50_000);
}

/** Names a visible range: what was absent while it stood is absent as long as it stands. */
export function rangeName({ first, last }: VisibleRange): string {
  return `${first}-${last}`;
}

const CACHES = new WeakMap<ServeContext, { database: string; caches: AnswerCaches }>();

/** The caches of a server for the version that it reads now. */
export function cachesOf(context: ServeContext, database: string): AnswerCaches {
  const found = CACHES.get(context);
  if (found?.database === database) return found.caches;
  const caches = new AnswerCaches();
  CACHES.set(context, { database, caches });
  return caches;
}
