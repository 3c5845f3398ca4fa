import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { stateInitCell, type Wallet } from './wallet.ts';

/** One message that a wallet is asked to send. */
export interface Transfer {
  readonly to: AccountAddress;
  readonly value: bigint;
  readonly bounce: boolean;
  /** Empty by default. */
  readonly body?: Cell;
  readonly stateInit?: { readonly code: Cell; readonly data: Cell };
  /** Default 3: fees apart, errors ignored. */
  readonly mode?: number;
}

/** Fields of a wallet's signed message in addition to its transfers. */
export interface TransferOptions {
  readonly seqno: number;
  /** Unix time after which the wallet refuses it. */
  readonly validUntil: number;
  /** Deploys the wallet with it. Default false. */
  readonly deploy?: boolean;
}

const PAY_FEES_SEPARATELY_IGNORE_ERRORS = 3;

/** The external message by which a wallet sends: up to four transfers (v3, v4), up to 255 (v5). */
export function walletMessage(
  wallet: Wallet,
  transfers: readonly Transfer[],
  options: TransferOptions,
): Cell {
  const body =
    wallet.version === 'v5r1' ? bodyV5(wallet, transfers, options) : bodyV3V4(wallet, transfers, options);
  return externalMessage(wallet.address, body, options.deploy ? wallet : undefined);
}

/** An external message to an account. */
// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
export function externalMessage(
  to: AccountAddress,
  body: Cell,
  init?: { readonly code: Cell; readonly data: Cell },
): Cell {
  const builder = new CellBuilder().uint(0b10, 2).uint(0b00, 2).with(storeAddress, to).coins(0n);
  builder.bit(init !== undefined);
  if (init) builder.bit(true).ref(stateInitCell(init.code, init.data));
  return builder.bit(true).ref(body).cell();
}

/** A comment as wallets show it: opcode 0, then UTF-8, continued in references if needed. */
export function commentBody(text: string): Cell {
  const bytes = new TextEncoder().encode(text);
  return snake(bytes, new CellBuilder().uint(0, 32), 123);
}

function snake(bytes: Uint8Array, builder: CellBuilder, room: number): Cell {
  builder.bytes(bytes.subarray(0, room));
  if (bytes.length > room) builder.ref(snake(bytes.subarray(room), new CellBuilder(), 127));
  return builder.cell();
}

/** The message as the wallet passes it on; the node fills in source, fees, lt and time. */
// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
function messageToSend({ to, value, bounce, body, stateInit }: Transfer): Cell {
  const builder = new CellBuilder().bit(false).bit(true).bit(bounce).bit(false).uint(0b00, 2);
  builder.with(storeAddress, to).coins(value).bit(false).coins(0n).coins(0n).u64(0n).uint(0, 32);
  builder.bit(stateInit !== undefined);
  if (stateInit) builder.bit(true).ref(stateInitCell(stateInit.code, stateInit.data));
  builder.bit(body !== undefined);
  return (body ? builder.ref(body) : builder).cell();
}

/** v3: wallet id, time, seqno, then mode and message of each; v4 has an opcode 0 before them. Signature first. */
function bodyV3V4(
  wallet: Wallet,
  transfers: readonly Transfer[],
  { seqno, validUntil }: TransferOptions,
): Cell {
  const unsigned = new CellBuilder()
    .int(wallet.walletId | 0, 32)
    .uint(validUntil, 32)
    .uint(seqno, 32);
  if (wallet.version === 'v4r2') unsigned.uint(0, 8);
  for (const transfer of transfers) {
    unsigned.uint(transfer.mode ?? PAY_FEES_SEPARATELY_IGNORE_ERRORS, 8).ref(messageToSend(transfer));
  }
  const message = unsigned.cell();
  return new CellBuilder().bytes(wallet.key.sign(message.hash())).append(message).cell();
}

/** v5: `sign`, wallet id, time, seqno, a list of out actions, no extended ones. Signature last. */
function bodyV5(
  wallet: Wallet,
  transfers: readonly Transfer[],
  { seqno, validUntil }: TransferOptions,
): Cell {
  const unsigned = new CellBuilder().uint(0x7369676e, 32).int(wallet.walletId | 0, 32);
  unsigned.uint(validUntil, 32).uint(seqno, 32).maybeRef(outList(transfers)).bit(false);
  const message = unsigned.cell();
  return new CellBuilder().append(message).bytes(wallet.key.sign(message.hash())).cell();
}

/** Out actions of a contract, the first transfer first. */
// out_list_empty$_ = OutList 0;
// out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
// action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
export function outList(transfers: readonly Transfer[]): Cell {
  let list = new CellBuilder().cell();
  for (const transfer of transfers) {
    const builder = new CellBuilder().ref(list).uint(0x0ec3c86d, 32);
    list = builder
      .uint(transfer.mode ?? PAY_FEES_SEPARATELY_IGNORE_ERRORS, 8)
      .ref(messageToSend(transfer))
      .cell();
  }
  return list;
}
