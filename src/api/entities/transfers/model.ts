import type { Packed } from '../../../tables/packed.ts';
import type { RowBinary } from '../../../tables/row-binary.ts';
import { UNNAMED_ADDRESSES } from '../../../ton/contracts/read-fields.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { toRawAddress } from '../../query/account-id.ts';
import { packedRows } from '../../query/packed-rows.ts';
import { readAddress } from '../tokens/model.ts';

export type TransferKind = 'jetton_transfer' | 'jetton_burn' | 'nft_transfer';

/** A received message that moves a token. Addresses are raw, hashes and bags base64, numbers decimal text. */
export interface TransferRow {
  /** Wallet or item. */
  readonly address: string;
  readonly lt: string;
  /** The masterchain step that has it. */
  readonly mcSeqno: number;
  readonly hash: string;
  readonly now: number;
  readonly aborted: boolean;
  /** Master or collection. */
  readonly parent: string | null;
  /** Code that the master or collection must name. */
  readonly childCode: string;
  readonly queryId: string;
  readonly amount: string;
  readonly source: string | null;
  /** For an address that names no account, its form: `addr_extern` or `addr_var`. */
  readonly destination: string | null;
  /** As `destination`. */
  readonly response: string | null;
  readonly forwardAmount: string;
  readonly customPayload: string | null;
  readonly forwardPayload: string | null;
}

/** The packed column of `token_transfers` (clickhouse/contracts/0005_token_transfers.sql). */
export const TRANSFER_COLUMNS: Packed = {
  rows: 'transfers',
  layout: 1,
  sized: [
    'mc_seqno',
    'workchain',
    'lt',
    'hash',
    'now',
    'aborted',
    'has_parent',
    'parent_workchain',
    'parent',
    'child_code',
    'query_id',
    'amount',
    'has_source',
    'source_workchain',
    'source',
    'has_destination',
    'destination_workchain',
    'destination',
    'has_response',
    'response_workchain',
    'response',
    'forward_amount',
  ],
  strings: ['custom_payload', 'forward_payload'],
};

/** Rows of (account, TRANSFER_COLUMNS) in RowBinary. @throws as `packedRows` */
export function transferRows(bytes: Buffer): TransferRow[] {
  return packedRows(bytes, TRANSFER_COLUMNS, readTransfer);
}

function readTransfer(row: RowBinary, account: Uint8Array): TransferRow {
  const mcSeqno = row.u32();
  const address = toRawAddress(row.i32(), account);
  const lt = String(row.u64());
  const hash = toBase64(row.fixed(32));
  const now = row.u32();
  const aborted = row.u8() !== 0;
  const of = { parent: readAddress(row), childCode: toBase64(row.fixed(32)) };
  const moved = { queryId: String(row.u64()), amount: row.decimal(32) };
  const parties = { source: readAddress(row), destination: readNamed(row), response: readNamed(row) };
  const forwardAmount = row.decimal(16);
  const lengths = { custom: row.u32(), forward: row.u32() };
  const customPayload = bagText(row, lengths.custom);
  const forwardPayload = bagText(row, lengths.forward);
  const place = { address, lt, mcSeqno, hash, now, aborted };
  return { ...place, ...of, ...moved, ...parties, forwardAmount, customPayload, forwardPayload };
}

/** An address that may name no account: the workchain is then the number of its form, 0 for none. */
function readNamed(row: RowBinary): string | null {
  const isThere = row.u8() !== 0;
  const workchain = row.i32();
  const hash = row.fixed(32);
  return isThere ? toRawAddress(workchain, hash) : (UNNAMED_ADDRESSES[workchain - 1] ?? null);
}

function bagText(row: RowBinary, size: number): string | null {
  return size === 0 ? null : toBase64(row.exact(size));
}
