import { getLookUp, keyBuilder, type TableLookUp } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { TRACE_TARGETS, TRACE_TRANSACTION_TARGETS } from '../../../tables/traces.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { IndexedRow, LookUps } from '../../look-up-port.ts';
import type { AccountId } from '../../query/account-id.ts';
import { getLookUps, type Keys, keysAfter, keysWith, toBuffer } from '../../query/look-ups.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import type { VisibleRange } from '../../version-vector.ts';
import type { TransactionRow } from '../transactions/model.ts';
import { buildTraceId, type TraceId } from './model.ts';

export const BY_TRANSACTION = getLookUp(
  TRACE_TRANSACTION_TARGETS.find(({ name }) => name === 'transaction_traces')!,
  'trace_by_transaction',
);
export const BY_PLACE = getLookUp(TRACE_TARGETS.find(({ name }) => name === 'traces')!, 'trace_by_place');
export const BY_END = getLookUp(TRACE_TARGETS.find(({ name }) => name === 'traces_by_end')!, 'trace_by_end');
const toTransactionKey = keyBuilder(BY_TRANSACTION);
const toEndKey = keyBuilder(BY_END);
const toPlaceKey = keyBuilder(BY_PLACE);

/** Of an account in a key: id and workchain. */
const ACCOUNT_BYTES = 36;

/** The key of a trace. */
export interface TracePlace {
  readonly startLt: bigint;
  readonly trace8: bigint;
}

/** What identifies a transaction in `traces`. */
export type TransactionPlace = Pick<TransactionRow, 'lt' | 'account' | 'workchain'>;

/** The row that names the trace of a transaction, from the look-up index. Null: there is none. */
function findPlaceRow(lookUps: LookUps, { account, workchain, lt }: TransactionPlace): IndexedRow | null {
  const key = toTransactionKey(Buffer.from(account, 'hex'), workchain, BigInt(lt));
  return lookUps.get(BY_TRANSACTION.lookUp.name, key);
}

/** The trace of a transaction from the look-up index. Null: it has none. Undefined: a statement has to find it. */
export function findTraceId(scope: ReadScope, place: TransactionPlace): TraceId | null | undefined {
  const { traces } = scope.added;
  const lookUps = traces && getLookUps(scope, traces.database, BY_TRANSACTION.lookUp.name);
  if (!lookUps) return undefined;
  const row = findPlaceRow(lookUps, place);
  if (!row) return lookUps.covers(traces.visible) ? null : undefined;
  return isVisible(row.step, traces.visible) ? readName(lookUps, row) : null;
}

/**
 * The key of the trace of a transaction, visible or not, from the look-up index. Null: it has none. Undefined: a statement
 * has to find it.
 */
export function findTracePlace(
  lookUps: LookUps,
  place: TransactionPlace,
  visible: VisibleRange,
): TracePlace | null | undefined {
  const row = findPlaceRow(lookUps, place);
  if (!row) return lookUps.covers(visible) ? null : undefined;
  return readPlace(row);
}

/** A place at which a list may have a trace. */
export interface ListedPlace extends TracePlace {
  /** The lt by which it is listed. */
  readonly lt: bigint;
  readonly step: number;
  /** Of the row of the list. */
  readonly key: Uint8Array;
}

/** How many places of a list are read, and from which end. */
export interface ListedPart {
  readonly descending: boolean;
  readonly limit: number;
  /** Only what follows this key. Null: from the beginning. */
  readonly from: Uint8Array | null;
}

/** Transactions of an account by lt, at least `least`, with their traces, from the look-up index. */
export function listOfAccount(
  lookUps: LookUps,
  { hash, workchain }: AccountId,
  least: bigint,
  part: ListedPart,
): readonly ListedPlace[] {
  const toPlace = (...lt: readonly bigint[]) => toTransactionKey(Buffer.from(hash, 'hex'), workchain, ...lt);
  const bounds = keysWith(toPlace(), toPlace(least));
  return readPart(lookUps, BY_TRANSACTION, bounds, part).map((row) => ({
    ...readPlace(row),
    lt: toBuffer(row.key).readBigUInt64BE(ACCOUNT_BYTES),
    step: row.step,
    key: row.key,
  }));
}

/** Rows of traces by end, from the look-up index. Bounds inclusive. */
export function listByEnd(
  lookUps: LookUps,
  { least, most }: { readonly least: bigint; readonly most: bigint },
  part: ListedPart,
): readonly ListedPlace[] {
  const bounds = { from: toEndKey(least), below: keysWith(toEndKey(most)).below };
  return readPart(lookUps, BY_END, bounds, part).map(({ key, step, value }) => {
    const end = toBuffer(key);
    const startLt = toReader(value).u64();
    return { startLt, trace8: end.readBigUInt64BE(8), lt: end.readBigUInt64BE(), step, key };
  });
}

function readPart(
  lookUps: LookUps,
  { lookUp }: TableLookUp,
  bounds: Keys,
  { descending, limit, from }: ListedPart,
): readonly IndexedRow[] {
  const left = from ? keysAfter(bounds, from, descending) : bounds;
  return lookUps.range(lookUp.name, { ...left, isFalling: descending }, limit);
}

/**
 * The newest row of a trace at or below the end of a range, from the look-up index. Null: there is none. Undefined: a
 * statement has to find it.
 */
export function findTraceRow(
  lookUps: LookUps,
  { startLt, trace8 }: TracePlace,
  visible: VisibleRange,
): IndexedRow | null | undefined {
  const bounds = keysWith(toPlaceKey(startLt, trace8), toPlaceKey(startLt, trace8, visible.last));
  const [row] = lookUps.range(BY_PLACE.lookUp.name, bounds, 1);
  const first = row && row.step >= visible.first ? row.step : visible.first;
  if (!lookUps.covers({ first, last: visible.last })) return undefined;
  return row && row.step >= visible.first ? row : null;
}

/** What names the trace of a row. Each row of a trace has it. */
function readName(lookUps: LookUps, row: IndexedRow): TraceId | undefined {
  const { startLt, trace8 } = readPlace(row);
  const [named] = lookUps.range(BY_PLACE.lookUp.name, keysWith(toPlaceKey(startLt, trace8)), 1);
  if (!named) return undefined;
  const names = toReader(named.value);
  return buildTraceId(toBase64(names.fixed(32)), toBase64(names.fixed(32)));
}

function readPlace({ value }: IndexedRow): TracePlace {
  const place = toReader(value);
  return { startLt: place.u64(), trace8: place.u64() };
}

function toReader(value: Uint8Array): RowBinary {
  return new RowBinary(toBuffer(value));
}
