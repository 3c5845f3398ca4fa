import { onlyRoot, parseBoc } from '../../../../ton/boc/boc.ts';
import { CellError } from '../../../../ton/boc/cell-error.ts';
import { CellSlice } from '../../../../ton/boc/cell-slice.ts';
import { serializeCell, serializeSlice } from '../../../../ton/boc/serialize.ts';
import { rawText } from '../../../../ton/contracts/custody/custody-state.ts';
import { toAccount } from '../../../../ton/contracts/read-fields.ts';
import { readText } from '../../../../ton/contracts/tokens/token-content.ts';
import { toBase64 } from '../../../../ton/hash/base64.ts';
import { JETTON_BURN_OP, loadJettonBurn } from '../../../../ton/messages/jetton-burn.ts';
import {
  JETTON_MINT_OP,
  loadJettonMint,
  loadMintedJettons,
  MINTER_MINT_OP,
} from '../../../../ton/messages/jetton-mint.ts';
import { JETTON_TRANSFER_OP, loadJettonTransfer } from '../../../../ton/messages/jetton-transfer.ts';
import { loadNftTransfer, NFT_TRANSFER_OP } from '../../../../ton/messages/nft-transfer.ts';
import { openPayload } from '../../../../ton/messages/payload.ts';
import { loadStonfiSwap, STONFI_SWAP_OP } from '../../../../ton/messages/stonfi-swap.ts';
import { ENCRYPTED_COMMENT_OP, loadComment, TEXT_COMMENT_OP } from '../../../../ton/messages/text-comment.ts';
import { loadMsgAddress, type MsgAddress } from '../../../../ton/tlb/msg-address.ts';
import type { Part } from '../../../../ton/tlb/part.ts';
import { loadOrderedMessage } from './ordered-message.ts';

/** A body of an order's message in the words of v3-models.md 11. */
export interface ParsedBody {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

type ReadFields = (slice: CellSlice, opcode: number) => Readonly<Record<string, unknown>>;

const NANO = 1_000_000_000n;

const QUERY = (slice: CellSlice) => ({ query_id: jsonNumber(slice.u64()) });

/** By the first 32 bits of a body; what is left over does not matter. */
const BODIES: Readonly<Record<number, readonly [type: string, read: ReadFields]>> = {
  [TEXT_COMMENT_OP]: ['ton_transfer', (slice) => ({ comment: restText(slice), encrypted: false })],
  [ENCRYPTED_COMMENT_OP]: ['ton_transfer', (slice) => ({ comment: restBase64(slice), encrypted: true })],
  [NFT_TRANSFER_OP]: ['nft_transfer', nftTransfer],
  [JETTON_TRANSFER_OP]: ['jetton_transfer', jettonTransfer],
  [JETTON_BURN_OP]: ['jetton_burn', jettonBurn],
  [MINTER_MINT_OP]: ['jetton_mint', jettonMint],
  [JETTON_MINT_OP]: ['jetton_mint', jettonMint],
  40915: ['jetton_top_up', QUERY],
  1694626644: [
    'jetton_change_admin',
    (slice) => ({ ...QUERY(slice), new_admin_address: readAddress(slice) }),
  ],
  4220051737: ['jetton_claim_admin', QUERY],
  3414567170: ['jetton_change_content', (slice) => ({ ...QUERY(slice), new_metadata_url: restText(slice) })],
  593276754: ['jetton_call_to', jettonCallTo],
  4006754003: ['jetton_set_status', jettonSetStatus],
  4096: ['single_nominator_withdraw', (slice) => ({ ...QUERY(slice), coins: `${slice.coins()}` })],
  4097: [
    'single_nominator_change_validator',
    (slice) => ({ ...QUERY(slice), validator_address: readAddress(slice) }),
  ],
  1963556701: ['vesting_internal_transfer', vestingTransfer],
};

/** Reads the body of a message, a bag of cells. One that has no such layout is `unknown`, with itself as data. */
export function parseOrderBody(body: Uint8Array): ParsedBody {
  const boc = parseBoc(body);
  const root = onlyRoot(boc);
  try {
    const slice = new CellSlice(boc, root);
    if (slice.bitsLeft < 32) return { type: 'ton_transfer', fields: { comment: null, encrypted: false } };
    const opcode = slice.uint(32);
    const [type, read] = BODIES[opcode] ?? [];
    if (type === undefined || read === undefined) return unknown(opcode, body);
    return { type, fields: read(slice, opcode) };
  } catch (error) {
    if (error instanceof CellError) return unknown(0, body);
    throw error;
  }
}

const unknown = (opcode: number, body: Uint8Array): ParsedBody => ({
  type: 'unknown',
  fields: { opcode, data: toBase64(body) },
});

function nftTransfer(slice: CellSlice) {
  const transfer = loadNftTransfer(slice);
  return {
    query_id: jsonNumber(transfer.queryId),
    new_owner: addressText(transfer.newOwner),
    response_destination: addressText(transfer.responseDestination),
    custom_payload: cellText(slice, transfer.customPayload),
    forward_amount: `${transfer.forwardAmount}`,
    forward_payload: payloadText(payloadSlice(slice, transfer.forwardPayload)),
  };
}

function jettonTransfer(slice: CellSlice) {
  const transfer = loadJettonTransfer(slice);
  const payload = payloadSlice(slice, transfer.forwardPayload);
  return {
    query_id: jsonNumber(transfer.queryId),
    amount: `${transfer.amount}`,
    destination: addressText(transfer.destination),
    response: addressText(transfer.responseDestination),
    custom_payload: cellText(slice, transfer.customPayload),
    forward_amount: `${transfer.forwardAmount}`,
    ...forwardFields(payload),
    forward_payload: payloadText(payload),
  };
}

const NO_FORWARD = {
  comment: null,
  encrypted_comment: null,
  payload_sum_type: '',
  stonfi_swap_body: null,
} as const;

/** Fields of the payload that a jetton transfer forwards to its receiver. */
function forwardFields(payload: CellSlice | null) {
  if (!payload || (payload.bitsLeft === 0 && payload.refsLeft === 0)) return NO_FORWARD;
  const slice = payload.clone();
  const isUnknown = { ...NO_FORWARD, payload_sum_type: 'Unknown' };
  if (slice.bitsLeft < 32) return isUnknown;
  const opcode = slice.uint(32);
  if (opcode === TEXT_COMMENT_OP)
    return { ...NO_FORWARD, comment: restText(slice), payload_sum_type: 'TextComment' };
  if (opcode === ENCRYPTED_COMMENT_OP)
    return {
      ...NO_FORWARD,
      encrypted_comment: restBase64(slice),
      payload_sum_type: 'EncryptedTextComment',
    };
  const swap = opcode === STONFI_SWAP_OP ? stonfiSwap(slice) : null;
  return swap ? { ...NO_FORWARD, payload_sum_type: 'StonfiSwap', stonfi_swap_body: swap } : isUnknown;
}

function stonfiSwap(slice: CellSlice) {
  try {
    const { tokenWallet, minOut, receiver } = loadStonfiSwap(slice);
    return {
      jetton_wallet: addressText(tokenWallet),
      min_amount: wholeCoins(minOut),
      user_address: addressText(receiver),
    };
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

function jettonBurn(slice: CellSlice) {
  const { queryId, amount, responseDestination } = loadJettonBurn(slice);
  return {
    query_id: jsonNumber(queryId),
    amount: `${amount}`,
    response_destination: addressText(responseDestination),
  };
}

function jettonMint(slice: CellSlice, opcode: number) {
  const { queryId, receiver, tonAmount } = loadJettonMint(slice);
  const minted = loadMintedJettons(slice);
  return {
    opcode,
    query_id: jsonNumber(queryId),
    to_address: addressText(receiver),
    ton_amount: `${tonAmount}`,
    master_msg_query_id: jsonNumber(minted.queryId),
    master_msg_jetton_amount: `${minted.amount}`,
  };
}

/** Calls of a governed jetton's master to a wallet, by opcode. */
const CALLS: Readonly<Record<number, readonly [name: string, read: ReadFields]>> = {
  4006754003: ['JettonSetStatus', jettonSetStatus],
  [JETTON_TRANSFER_OP]: ['JettonTransfer', jettonTransfer],
  [JETTON_BURN_OP]: ['JettonBurn', jettonBurn],
};

// call_to#235caf52 query_id:uint64 to_address:MsgAddress ton_amount:Coins master_msg:^Cell = InternalMsgBody;
function jettonCallTo(slice: CellSlice) {
  const head = { ...QUERY(slice), to_address: readAddress(slice), ton_amount: `${slice.coins()}` };
  const message = new CellSlice(slice.boc, slice.ref());
  const opcode = message.uint(32);
  const [action_type, read] = CALLS[opcode] ?? ['Unknown', null];
  return { ...head, action_type, action_data: read ? read(message, opcode) : null };
}

// set_status#eed236d3 query_id:uint64 new_status:uint4 = InternalMsgBody;
function jettonSetStatus(slice: CellSlice) {
  return { ...QUERY(slice), new_status: slice.uint(4) };
}

// internal_transfer#75097f5d query_id:uint64 send_mode:uint8 message:^(MessageRelaxed Any) = InternalMsgBody;
function vestingTransfer(slice: CellSlice) {
  const head = { ...QUERY(slice), send_mode: slice.uint(8) };
  const { destination, value, body } = loadOrderedMessage(new CellSlice(slice.boc, slice.ref()));
  const text = body.bitsLeft >= 32 && body.peekUint(32) === TEXT_COMMENT_OP ? body.clone() : null;
  text?.skipBits(32);
  return {
    ...head,
    destination,
    value,
    message_body: toBase64(serializeSlice(body)),
    comment: text && restText(text),
  };
}

function readAddress(slice: CellSlice): string | null {
  return addressText(loadMsgAddress(slice));
}

function addressText(address: MsgAddress): string | null {
  const found = toAccount(address);
  return found && rawText(found);
}

/** A cell of the slice's bag, base64; null for -1. */
function cellText({ boc }: CellSlice, cell: number): string | null {
  return cell < 0 ? null : toBase64(serializeCell(boc, cell));
}

function payloadSlice({ boc }: CellSlice, payload: Part | null): CellSlice | null {
  return payload && openPayload(boc, payload);
}

function payloadText(payload: CellSlice | null): string | null {
  return payload && toBase64(serializeSlice(payload));
}

/** The rest as a snake; null if it is not text. */
function restText(slice: CellSlice): string | null {
  return readText(loadComment(slice));
}

function restBase64(slice: CellSlice): string | null {
  const bytes = loadComment(slice);
  return bytes && toBase64(bytes);
}

/** Whole coins with a decimal point, as this one field has them. */
function wholeCoins(amount: bigint): string {
  const part = (amount % NANO).toString().padStart(9, '0').replace(/0+$/, '');
  return part === '' ? `${amount / NANO}` : `${amount / NANO}.${part}`;
}

/** A JSON number with all its digits, if a JavaScript number would lose some. */
function jsonNumber(value: bigint): unknown {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(value.toString());
}
