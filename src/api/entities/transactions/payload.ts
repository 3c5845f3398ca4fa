import type { RowBinary } from '../../../tables/row-binary.ts';
import { HEAD_BYTES, TRANSACTION_HEAD } from '../../../tables/transaction-targets.ts';
import { TRANSACTION_TYPES } from '../../../tables/transactions.ts';
import { type PackedMessage, unpackMessages } from '../../../ton/columns/message-pack.ts';
import type { PackedStates } from '../../../ton/columns/packed-state.ts';
import { unpackStates } from '../../../ton/columns/state-unpack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { ReadDetails } from '../../compat/details-reader.ts';
import { createPackedReader } from '../../query/packed-rows.ts';

/** The fixed part and the packs of a transaction: hashes base64, `account` upper-case hex, u64 as decimal text. */
export interface TransactionPack {
  readonly hash: string;
  readonly prev_trans_hash: string;
  readonly state_hash_before: string;
  readonly state_hash_after: string;
  readonly account: string;
  readonly lt: string;
  readonly prev_trans_lt: string;
  readonly shard: string;
  readonly mc_seqno: number;
  readonly seqno: number;
  readonly now: number;
  readonly workchain: number;
  readonly details: readonly unknown[];
  readonly states: PackedStates;
  /** The incoming one first, if any, then the outgoing ones by index. */
  readonly messages: readonly PackedMessage[];
}

/** Fields that bound and order a transaction among others. */
export interface TransactionOrder extends Pick<TransactionPack, 'mc_seqno' | 'workchain' | 'account'> {
  readonly lt: bigint;
}

const { open, field } = createPackedReader(TRANSACTION_HEAD, TRANSACTION_TYPES);

/** Missing fields of a value that was cut after its head. */
const NOT_READ = { details: [], states: { before: null, after: null }, messages: [] } as const;

/**
 * Reads one value of the column `payload`, its details by the types of the version's columns.
 * @throws UnknownLayoutError, and RangeError if its bytes end early
 */
export function readPayload(bytes: Buffer, readDetails: ReadDetails): TransactionPack {
  const row = open(bytes);
  return { ...readHead(row), ...(bytes.length > HEAD_BYTES ? readRest(row, readDetails) : NOT_READ) };
}

/** Reads only the position of one value of the column `payload`. Throws like `readPayload`. */
export function orderOfPayload(bytes: Buffer): TransactionOrder {
  const row = open(bytes);
  return {
    lt: field.lt(row),
    mc_seqno: field.mc_seqno(row),
    workchain: field.workchain(row),
    account: readAccount(row),
  };
}

function readAccount(row: RowBinary): string {
  return field.account(row).toString('hex').toUpperCase();
}

function readHead(row: RowBinary) {
  return {
    hash: toBase64(field.hash(row)),
    prev_trans_hash: toBase64(field.prev_trans_hash(row)),
    state_hash_before: toBase64(field.state_hash_before(row)),
    state_hash_after: toBase64(field.state_hash_after(row)),
    account: readAccount(row),
    lt: `${field.lt(row)}`,
    prev_trans_lt: `${field.prev_trans_lt(row)}`,
    shard: `${field.shard(row)}`,
    mc_seqno: field.mc_seqno(row),
    seqno: field.seqno(row),
    now: field.now(row),
    workchain: field.workchain(row),
  };
}

function readRest(row: RowBinary, readDetails: ReadDetails) {
  row.to(HEAD_BYTES);
  return {
    details: readDetails(row.exact(row.u32())),
    states: unpackStates(row.exact(row.u32())),
    messages: unpackMessages(row.rest()),
  };
}
