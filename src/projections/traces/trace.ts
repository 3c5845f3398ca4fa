import type { TransactionFact } from './trace-facts.ts';

/** States in the order of their codes in the column `state`. */
export const TRACE_STATES = ['pending', 'complete', 'broken'] as const;
export type TraceState = (typeof TRACE_STATES)[number];

/** A trace after a masterchain step. */
export interface Trace {
  /** Logical time of its first transaction and the first 8 bytes of that one's hash: its key in the tables. */
  readonly startLt: bigint;
  readonly trace8: bigint;
  /** The two of them as `toKey` puts them. */
  readonly key: string;
  /** Hash of its first transaction, 32 bytes. */
  readonly id: Buffer;
  /** Hash of the external message that began it, as sent and normalised, 32 bytes each; zeros where none did. */
  readonly externalHash: Buffer;
  readonly externalHashNorm: Buffer;
  readonly startPosition: number;
  /** Unix times, seconds. */
  readonly startUtime: number;
  endPosition: number;
  endLt: bigint;
  endUtime: number;
  /** Messages that were joined, logs, and the external or system message that began it. */
  messages: number;
  transactions: number;
  /** Messages sent to accounts that no transaction has taken. */
  pending: number;
  state: TraceState;
  /** The step that changed it last: its newest row is of that step. */
  changedAt: number;
}

/**
 * Key of a trace or of a message in flight: a logical time and the first 8 bytes of a hash, as 8 characters of 16 bits each.
 * Keys compare as the numbers do.
 */
export function toKey(lt: bigint, hash8: bigint): string {
  WORDS[0] = lt;
  WORDS[1] = hash8;
  const [a, b, c, d, e, f, g, h] = PLACES;
  // One call with eight numbers costs a third of writing bytes and reading them as text.
  return String.fromCharCode(
    UNITS[a]!,
    UNITS[b]!,
    UNITS[c]!,
    UNITS[d]!,
    UNITS[e]!,
    UNITS[f]!,
    UNITS[g]!,
    UNITS[h]!,
  );
}

/** Logical time and hash that `toKey` made the key of. */
export function keyFrom(key: string): { readonly lt: bigint; readonly hash8: bigint } {
  for (const [at, place] of PLACES.entries()) UNITS[place] = key.charCodeAt(at);
  return { lt: WORDS[0]!, hash8: WORDS[1]! };
}

const WORDS = new BigUint64Array(2);
const UNITS = new Uint16Array(WORDS.buffer);
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** Positions of the units of both numbers, the highest first. */
const PLACES = isLittleEndian ? ([3, 2, 1, 0, 7, 6, 5, 4] as const) : ([0, 1, 2, 3, 4, 5, 6, 7] as const);

const NO_HASH = Buffer.alloc(32);

/** A trace that begins with a transaction; that one is not counted yet. */
export function beginTrace(fact: TransactionFact): Trace {
  const [first] = fact.messages;
  const external = first?.kind === 'external' ? first : null;
  const trace8 = fact.hash.readBigUInt64BE(0);
  return {
    startLt: fact.lt,
    trace8,
    key: toKey(fact.lt, trace8),
    id: Buffer.from(fact.hash),
    externalHash: external ? Buffer.from(external.hash) : NO_HASH,
    externalHashNorm: external?.hashNorm ? Buffer.from(external.hashNorm) : NO_HASH,
    startPosition: fact.position,
    startUtime: fact.utime,
    endPosition: fact.position,
    endLt: fact.lt,
    endUtime: fact.utime,
    messages: 0,
    transactions: 0,
    pending: 0,
    state: 'pending',
    changedAt: fact.position,
  };
}

/** Counts a transaction of the trace; its messages are counted when they are joined. */
export function countTransaction(trace: Trace, { lt, utime, position }: TransactionFact): void {
  trace.transactions++;
  if (lt > trace.endLt) trace.endLt = lt;
  if (utime > trace.endUtime) trace.endUtime = utime;
  if (position > trace.endPosition) trace.endPosition = position;
  trace.changedAt = position;
}
