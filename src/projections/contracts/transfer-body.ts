import type { Boc } from '../../ton/boc/boc.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import type { CellSlice } from '../../ton/boc/cell-slice.ts';
import { openBag } from '../../ton/boc/open-bag.ts';
import { serializeCell } from '../../ton/boc/serialize.ts';
import { toNamed } from '../../ton/contracts/read-fields.ts';
import { JETTON_BURN_OP, loadBurnPayload, loadJettonBurn } from '../../ton/messages/jetton-burn.ts';
import { INTERNAL_TRANSFER_OP, loadInternalTransfer } from '../../ton/messages/jetton-internal-transfer.ts';
import { JETTON_TRANSFER_OP, loadJettonTransfer } from '../../ton/messages/jetton-transfer.ts';
import { loadNftTransfer, NFT_TRANSFER_OP } from '../../ton/messages/nft-transfer.ts';
import { loadPayload, payloadBag } from '../../ton/messages/payload.ts';
import type { Part } from '../../ton/tlb/part.ts';
import type { TransferBody } from './fact.ts';

const NONE = new Uint8Array(0);

/** Bodies by op; what is left over does not matter. */
const READERS: Readonly<Record<number, (slice: CellSlice) => TransferBody>> = {
  [JETTON_TRANSFER_OP]: jettonTransfer,
  [JETTON_BURN_OP]: jettonBurn,
  [NFT_TRANSFER_OP]: nftTransfer,
  [INTERNAL_TRANSFER_OP]: internalTransfer,
};

/** Whether messages of this opcode move tokens. */
export function movesTokens(opcode: number): boolean {
  return Object.hasOwn(READERS, opcode);
}

/** Reads a body (a bag of cells) that moves a token; null for any other body. */
export function readTransferBody(opcode: number, body: Uint8Array): TransferBody | null {
  const read = movesTokens(opcode) ? READERS[opcode] : undefined;
  if (!read) return null;
  try {
    const slice = openBag(body);
    slice.skipBits(32);
    return read(slice);
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

function jettonTransfer(slice: CellSlice): TransferBody {
  const transfer = loadJettonTransfer(slice);
  return {
    kind: 'jetton_transfer',
    queryId: transfer.queryId,
    amount: transfer.amount,
    destination: toNamed(transfer.destination),
    response: toNamed(transfer.responseDestination),
    customPayload: cellBag(slice.boc, transfer.customPayload),
    forwardAmount: transfer.forwardAmount,
    forwardPayload: partBag(slice.boc, transfer.forwardPayload),
  };
}

function jettonBurn(slice: CellSlice): TransferBody {
  const { queryId, amount, responseDestination } = loadJettonBurn(slice);
  return {
    kind: 'jetton_burn',
    queryId,
    amount,
    destination: null,
    response: toNamed(responseDestination),
    customPayload: cellBag(slice.boc, loadBurnPayload(slice)),
    forwardAmount: 0n,
    forwardPayload: NONE,
  };
}

function nftTransfer(slice: CellSlice): TransferBody {
  const transfer = loadNftTransfer(slice);
  return {
    kind: 'nft_transfer',
    queryId: transfer.queryId,
    amount: 0n,
    destination: toNamed(transfer.newOwner),
    response: toNamed(transfer.responseDestination),
    customPayload: cellBag(slice.boc, transfer.customPayload),
    forwardAmount: transfer.forwardAmount,
    forwardPayload: partBag(slice.boc, transfer.forwardPayload),
  };
}

/** A mint, if the master sent it. */
function internalTransfer(slice: CellSlice): TransferBody {
  const { queryId, amount, responseAddress, forwardAmount } = loadInternalTransfer(slice);
  return {
    kind: 'jetton_mint',
    queryId,
    amount,
    destination: null,
    response: toNamed(responseAddress),
    customPayload: NONE,
    forwardAmount,
    forwardPayload: leftPayload(slice),
  };
}

/** The payload at the end of a body: a wallet takes the jettons whatever it is. */
function leftPayload(slice: CellSlice): Uint8Array {
  try {
    return partBag(slice.boc, loadPayload(slice));
  } catch (error) {
    if (error instanceof CellError) return NONE;
    throw error;
  }
}

function cellBag(boc: Boc, cell: number): Uint8Array {
  return cell < 0 ? NONE : serializeCell(boc, cell);
}

function partBag(boc: Boc, payload: Part | null): Uint8Array {
  return payload === null ? NONE : payloadBag(boc, payload);
}
