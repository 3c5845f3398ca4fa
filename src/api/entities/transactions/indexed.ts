import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { TRANSACTION_TARGETS } from '../../../tables/transaction-targets.ts';
import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import { getLookUps, toBuffer } from '../../query/look-ups.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import { type TransactionRow, unpacker } from './model.ts';

const PAYLOADS = TRANSACTION_TARGETS.find(({ name }) => name === PACKED_TABLE)!;
const BY_HASH = getLookUp(PAYLOADS, 'transaction_by_hash');
const { name: BY_HASH_NAME } = BY_HASH.lookUp;
const toKey = keyBuilder(BY_HASH);
const BY_PLACE = getLookUp(
  TRANSACTION_TARGETS.find(({ name }) => name === 'account_transactions')!,
  'transaction_by_place',
);
const toPlaceKey = keyBuilder(BY_PLACE);
const HASH_BYTES = 32;

/** Transactions from the look-up index by hash, and the hashes that a statement has to find. */
export interface IndexedTransactions {
  readonly found: ReadonlyMap<string, TransactionRow>;
  readonly unknown: readonly string[];
  /** Hashes of transactions outside the visible range. */
  readonly hidden: readonly string[];
}

/** Finds transactions by hash (64 upper-case hex digits) without a statement. */
export function findIndexed(scope: ReadScope, hashes: readonly string[]): IndexedTransactions {
  const lookUps = getLookUps(scope, scope.databases.base, BY_HASH_NAME);
  if (!lookUps) return { found: new Map(), unknown: hashes, hidden: [] };
  const unpack = unpacker(scope.tables);
  const found = new Map<string, TransactionRow>();
  const absent: string[] = [];
  const hidden: string[] = [];
  for (const hash of hashes) {
    const row = lookUps.get(BY_HASH_NAME, toKey(Buffer.from(hash, 'hex')));
    if (!row) absent.push(hash);
    else if (isVisible(row.step, scope.visible)) found.set(hash, unpack(readPayload(row.value)));
    else hidden.push(hash);
  }
  // Asked afterwards: a step that left the index meanwhile makes nothing absent.
  return { found, unknown: lookUps.covers(scope.visible) ? [] : absent, hidden };
}

/** Where a transaction is. */
export interface IndexedPlace {
  readonly account: Uint8Array;
  readonly workchain: number;
  readonly lt: bigint;
}

/** Visible transactions at some places without a statement, in no order. Null: one of them is not in the look-up index. */
export function findAtPlaces(
  scope: ReadScope,
  places: readonly IndexedPlace[],
): readonly TransactionRow[] | null {
  const lookUps = getLookUps(scope, scope.databases.base, BY_PLACE.lookUp.name);
  if (!lookUps) return null;
  const hashes: string[] = [];
  for (const { account, workchain, lt } of places) {
    const row = lookUps.get(BY_PLACE.lookUp.name, toPlaceKey(account, workchain, lt));
    if (!row) return null;
    hashes.push(toBuffer(row.value).toString('hex', 0, HASH_BYTES).toUpperCase());
  }
  const { found } = findIndexed(scope, hashes);
  return found.size === hashes.length ? [...found.values()] : null;
}

function readPayload(value: Uint8Array): Buffer {
  return new RowBinary(toBuffer(value)).string();
}
