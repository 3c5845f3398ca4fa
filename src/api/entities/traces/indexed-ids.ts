import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { TRACE_TARGETS, TRACE_TRANSACTION_TARGETS } from '../../../tables/traces.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { IndexedRow, LookUps } from '../../look-up-port.ts';
import { getLookUps, keysWith } from '../../query/look-ups.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import type { TransactionRow } from '../transactions/model.ts';
import { buildTraceId, type TraceId } from './model.ts';

const BY_TRANSACTION = getLookUp(
  TRACE_TRANSACTION_TARGETS.find(({ name }) => name === 'transaction_traces')!,
  'trace_by_transaction',
);
const BY_PLACE = getLookUp(TRACE_TARGETS.find(({ name }) => name === 'traces')!, 'trace_by_place');
const toTransactionKey = keyBuilder(BY_TRANSACTION);
const toPlaceKey = keyBuilder(BY_PLACE);

/** What identifies a transaction in `traces`. */
export type TransactionPlace = Pick<TransactionRow, 'lt' | 'account' | 'workchain'>;

/** The trace of a transaction from the look-up index. Null: it has none. Undefined: a statement has to find it. */
export function findTraceId(scope: ReadScope, place: TransactionPlace): TraceId | null | undefined {
  const { traces } = scope.added;
  const lookUps = traces && getLookUps(scope, traces.database, BY_TRANSACTION.lookUp.name);
  if (!lookUps) return undefined;
  const { account, workchain, lt } = place;
  const row = lookUps.get(
    BY_TRANSACTION.lookUp.name,
    toTransactionKey(Buffer.from(account, 'hex'), workchain, BigInt(lt)),
  );
  if (!row) return lookUps.covers(traces.visible) ? null : undefined;
  return isVisible(row.step, traces.visible) ? readName(lookUps, row) : null;
}

/** What names the trace of a row. Each row of a trace has it. */
function readName(lookUps: LookUps, { value }: IndexedRow): TraceId | undefined {
  const place = toReader(value);
  const bounds = keysWith(toPlaceKey(place.u64(), place.u64()));
  const [row] = lookUps.range(BY_PLACE.lookUp.name, bounds, 1);
  if (!row) return undefined;
  const names = toReader(row.value);
  return buildTraceId(toBase64(names.fixed(32)), toBase64(names.fixed(32)));
}

function toReader(value: Uint8Array): RowBinary {
  return new RowBinary(Buffer.from(value.buffer, value.byteOffset, value.length));
}
