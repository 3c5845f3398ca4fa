import { onlyRoot, parseBoc } from '../../../../ton/boc/boc.ts';
import { BocError } from '../../../../ton/boc/boc-error.ts';
import { CellError } from '../../../../ton/boc/cell-error.ts';
import { CellSlice } from '../../../../ton/boc/cell-slice.ts';
import { serializeSlice } from '../../../../ton/boc/serialize.ts';
import { rawText } from '../../../../ton/contracts/custody/custody-state.ts';
import { readAddresses, readDictionary } from '../../../../ton/contracts/read-accounts.ts';
import { fromBase64, toBase64 } from '../../../../ton/hash/base64.ts';
import type { OrderActionAnswer } from '../../schemas/custody.ts';
import { parseOrderBody } from './order-bodies.ts';
import { loadOrderedMessage } from './ordered-message.ts';

const SEND_MESSAGE = 0xf1381e5b;
const UPDATE_PARAMS = 0x1d0cfbd3;
/** Keys of actions, and of signers and proposers. */
const INDEX_BITS = 8;

/** Actions of an order (a bag of cells, base64) in key order; unreadable ones have the reason. */
export function orderActions(order: string): OrderActionAnswer[] {
  const actions: OrderActionAnswer[] = [];
  try {
    const boc = parseBoc(fromBase64(order) ?? new Uint8Array(0));
    readDictionary(boc, onlyRoot(boc), INDEX_BITS, (_key, value) => actions.push(orderAction(value)));
  } catch (error) {
    if (!(error instanceof CellError || error instanceof BocError)) throw error;
  }
  return actions;
}

/** OrderAction of v3-models.md 11. */
function orderAction(entry: CellSlice): OrderActionAnswer {
  try {
    const slice = new CellSlice(entry.boc, entry.ref());
    const tag = slice.uint(32);
    if (tag === SEND_MESSAGE) return sentMessage(slice);
    if (tag === UPDATE_PARAMS) return { ...NOTHING, ...newParameters(slice) };
    return { ...NOTHING, parsed: false, error: `unknown action 0x${tag.toString(16).padStart(8, '0')}` };
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return { ...NOTHING, parsed: false, error: error.message };
  }
}

const NOTHING: OrderActionAnswer = {
  destination: null,
  value: null,
  body_raw: null,
  parsed: true,
  error: null,
  parsed_body: null,
  parsed_body_type: 'unknown',
  send_mode: 0,
};

// send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any) = Action;
function sentMessage(slice: CellSlice): OrderActionAnswer {
  const mode = slice.uint(8);
  const { destination, value, body } = loadOrderedMessage(new CellSlice(slice.boc, slice.ref()));
  const bag = serializeSlice(body);
  const { type, fields } = parseOrderBody(bag);
  return {
    ...NOTHING,
    destination,
    value,
    body_raw: toBase64(bag),
    parsed_body: { ...fields },
    parsed_body_type: type,
    send_mode: mode,
  };
}

// update_multisig_params#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt)
//   proposers:(HashmapE 8 MsgAddressInt) = Action;
function newParameters(slice: CellSlice): Pick<OrderActionAnswer, 'parsed_body' | 'parsed_body_type'> {
  const threshold = slice.uint(8);
  const signers = readAddresses(slice.boc, slice.ref(), INDEX_BITS).map(rawText);
  const proposers = readAddresses(slice.boc, slice.maybeRef(), INDEX_BITS).map(rawText);
  return {
    parsed_body: { new_threshold: threshold, new_signers: signers, new_proposers: proposers },
    parsed_body_type: 'multisig_update_params',
  };
}
