import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { serializeCell, serializeSlice } from '../../ton/boc/serialize.ts';
import { namedAddress } from '../../ton/contracts/read-fields.ts';
import type { TransferBody } from './fact.ts';

const NONE = new Uint8Array(0);

/** Bodies by their first 32 bits; what is left over does not matter. */
const READERS: Readonly<Record<number, (slice: CellSlice) => TransferBody>> = {
  260734629: jettonTransfer,
  1499400124: jettonBurn,
  1607220500: nftTransfer,
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
    const boc = parseBoc(body);
    const slice = new CellSlice(boc, onlyRoot(boc));
    slice.skipBits(32);
    return read(slice);
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

// transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
function jettonTransfer(slice: CellSlice): TransferBody {
  return {
    kind: 'jetton_transfer',
    queryId: slice.u64(),
    amount: slice.coins(),
    destination: namedAddress(slice),
    response: namedAddress(slice),
    customPayload: maybeCell(slice),
    forwardAmount: slice.coins(),
    forwardPayload: eitherCell(slice),
  };
}

// burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) = InternalMsgBody;
function jettonBurn(slice: CellSlice): TransferBody {
  return {
    kind: 'jetton_burn',
    queryId: slice.u64(),
    amount: slice.coins(),
    destination: null,
    response: namedAddress(slice),
    // Left out by many wallets.
    customPayload: slice.bitsLeft > 0 ? maybeCell(slice) : NONE,
    forwardAmount: 0n,
    forwardPayload: NONE,
  };
}

// transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
function nftTransfer(slice: CellSlice): TransferBody {
  return {
    kind: 'nft_transfer',
    queryId: slice.u64(),
    amount: 0n,
    destination: namedAddress(slice),
    response: namedAddress(slice),
    customPayload: maybeCell(slice),
    forwardAmount: slice.coins(),
    forwardPayload: eitherCell(slice),
  };
}

function maybeCell(slice: CellSlice): Uint8Array {
  const cell = slice.maybeRef();
  return cell < 0 ? NONE : serializeCell(slice.boc, cell);
}

/** Nothing at all is taken for no payload: wallets accept it. */
function eitherCell(slice: CellSlice): Uint8Array {
  if (slice.bitsLeft === 0) return NONE;
  return slice.bit() ? serializeCell(slice.boc, slice.ref()) : serializeSlice(slice);
}
