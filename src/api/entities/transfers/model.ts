import type { EnumName } from '../../../tables/column-type.ts';
import type { TRANSFER_KIND } from '../../../tables/contract-types.ts';
import {
  TRANSFER_PAYLOAD,
  type TRANSFER_ROLE,
  TRANSFER_TYPES,
} from '../../../tables/transfers/token-transfers.ts';
import { UNNAMED_ADDRESSES } from '../../../ton/contracts/read-fields.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { toRawAddress } from '../../query/account-id.ts';
import { createPackedReader, packedRows } from '../../query/packed-rows.ts';
import { addressOrNull } from '../tokens/model.ts';

export type TransferKind = EnumName<typeof TRANSFER_KIND>;
export type TransferRole = EnumName<typeof TRANSFER_ROLE>;

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

const { open, field, tail } = createPackedReader(TRANSFER_PAYLOAD, TRANSFER_TYPES);

/** Reads rows of (account, payload) in RowBinary. @throws UnknownLayoutError, and RangeError if the bytes end early */
export function transferRows(bytes: Buffer): TransferRow[] {
  return packedRows(bytes, readTransfer);
}

/** Reads the payload of a transfer of an account. Throws like `transferRows`. */
export function readTransfer(payload: Buffer, account: Uint8Array): TransferRow {
  const row = open(payload);
  const { custom_payload: custom, forward_payload: forward } = tail(row).strings;
  return {
    address: toRawAddress(field.workchain(row), account),
    lt: String(field.lt(row)),
    mcSeqno: field.mc_seqno(row),
    hash: toBase64(field.hash(row)),
    now: field.now(row),
    aborted: field.aborted(row),
    parent: addressOrNull(field.has_parent(row), field.parent_workchain(row), field.parent(row)),
    childCode: toBase64(field.child_code(row)),
    queryId: String(field.query_id(row)),
    amount: String(field.amount(row)),
    source: addressOrNull(field.has_source(row), field.source_workchain(row), field.source(row)),
    destination: toNamed(
      field.has_destination(row),
      field.destination_workchain(row),
      field.destination(row),
    ),
    response: toNamed(field.has_response(row), field.response_workchain(row), field.response(row)),
    forwardAmount: String(field.forward_amount(row)),
    customPayload: bagOrNull(custom),
    forwardPayload: bagOrNull(forward),
  };
}

/** An address that may name no account: the workchain is then the number of its form, 0 for none. */
function toNamed(isThere: boolean, workchain: number, hash: Uint8Array): string | null {
  return isThere ? toRawAddress(workchain, hash) : (UNNAMED_ADDRESSES[workchain - 1] ?? null);
}

function bagOrNull(bytes: Buffer): string | null {
  return bytes.length === 0 ? null : toBase64(bytes);
}
