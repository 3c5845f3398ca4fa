import { serializeCell } from '../../ton/boc/serialize.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { CellOverflowError } from '../../ton/cell/cell-overflow-error.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { storeAddress } from '../../ton/store/store-address.ts';
import { type WalletFacts, walletFacts } from '../chain/wallet-contracts.ts';
import { HttpError } from '../http/errors/http-error.ts';
import type { EmulatedAccount } from './emulated-account.ts';
import { invalid } from './request-fields.ts';
import type { RequestedMessage, TonConnectRequest } from './ton-connect-request.ts';

/** Fees apart, errors ignored. */
const SEND_MODE = 3;
/** Never: v3 wallets are not given the request's time. */
const NO_EXPIRY = 0xffff_ffff;
/** All zeros: it is not checked. */
const SIGNATURE = new Uint8Array(64);

/**
 * The unsigned external message by which the wallet of an account would send a request's messages, with an inline body
 * (v3-rules.md 1.1). `validUntil`: Unix seconds.
 * @throws HttpError 500 unsupported wallet, 400 more messages than the wallet's limit
 */
export function walletMessage(
  account: EmulatedAccount,
  { from, messages }: TonConnectRequest,
  validUntil: number,
): Cell {
  const body = bodyFor(getWallet(account), messages, validUntil);
  try {
    const head = new CellBuilder().uint(0b10, 2).uint(0b00, 2).with(storeAddress, from).coins(0n);
    return head.bit(false).bit(false).append(body).cell();
  } catch (error) {
    if (error instanceof CellOverflowError) throw invalid(`the messages do not fit: ${error.message}`);
    throw error;
  }
}

function getWallet({ state, cells }: EmulatedAccount): WalletFacts {
  if (!state?.codeHash || !state.dataHash || !cells)
    throw new HttpError(500, 'Account state no code or no data');
  const facts = walletFacts(toBase64(state.codeHash), serializeCell(cells.boc, cells.data));
  if (!facts) throw new HttpError(500, 'Account is not a known wallet');
  return facts;
}

function bodyFor(wallet: WalletFacts, messages: readonly RequestedMessage[], validUntil: number): Cell {
  const version = /^wallet v(\d) (r\d)$/.exec(wallet.wallet_type)?.slice(1) ?? [];
  switch (version[0]) {
    case '1':
    case '2':
      throw new HttpError(500, `Unsupported wallet type: ${version[0]}`);
    case '3':
      return directBody(head(wallet, NO_EXPIRY), messages);
    case '4':
      return directBody(head(wallet, validUntil).uint(0, 8), messages);
    case '5':
      return listBody(
        new CellBuilder().uint(0x7369676e, 32).append(head(wallet, validUntil).cell()),
        messages,
      );
    default:
      throw new HttpError(500, 'Account is not a known wallet');
  }
}

function head({ wallet_id = 0, seqno = 0 }: WalletFacts, validUntil: number): CellBuilder {
  return new CellBuilder().int(wallet_id, 32).uint(validUntil, 32).uint(seqno, 32);
}

/** v3 and v4: the signature, the head, then mode and message of each. */
function directBody(head: CellBuilder, messages: readonly RequestedMessage[]): Cell {
  const builder = new CellBuilder().bytes(SIGNATURE).append(head.cell());
  for (const message of messages) builder.uint(SEND_MODE, 8).ref(messageToSend(message));
  return builder.cell();
}

/** v5: the head, a list of out actions, no extended ones, then the signature. */
function listBody(head: CellBuilder, messages: readonly RequestedMessage[]): Cell {
  return head.maybeRef(outList(messages)).bit(false).bytes(SIGNATURE).cell();
}

// out_list_empty$_ = OutList 0;
// out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
// action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
function outList(messages: readonly RequestedMessage[]): Cell {
  return messages.reduce(
    (list, message) =>
      new CellBuilder().ref(list).uint(0x0ec3c86d, 32).uint(SEND_MODE, 8).ref(messageToSend(message)).cell(),
    new CellBuilder().cell(),
  );
}

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
function messageToSend({ to, bounce, amount, payload, stateInit }: RequestedMessage): Cell {
  const builder = new CellBuilder().bit(false).bit(true).bit(bounce).bit(false).uint(0b00, 2);
  builder.with(storeAddress, to).coins(amount).bit(false).coins(0n).coins(0n).u64(0n).uint(0, 32);
  builder.bit(stateInit !== null);
  if (stateInit) builder.bit(true).ref(stateInit);
  builder.bit(payload !== null);
  return (payload ? builder.ref(payload) : builder).cell();
}
