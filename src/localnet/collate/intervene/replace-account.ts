import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { grams } from '../../../ton/currencies/money.ts';
import { commentBody } from '../../../ton/messages/text-comment.ts';
import { type AccountAddress, storeAddress } from '../../../ton/store/store-address.ts';
import { type AccountEntry, entryOfAccount } from '../../ledger/account-entry.ts';
import type { ExecutedTransaction } from '../../ledger/executed-transaction.ts';
import { hashUpdate, STATUS, transactionCell } from '../direct/plain-cells.ts';
import { changeDescription } from './set-description.ts';

/** Where the transaction of an intervention stands. */
export interface TransactionPlace {
  /** The account; null if there is none. */
  readonly before: AccountEntry | null;
  /** Its last transaction; null for none. An account that ended in this block still has one. */
  readonly last: Pick<AccountEntry, 'lastTransHash' | 'lastTransLt'> | null;
  /** The lt of the transaction. */
  readonly lt: bigint;
  readonly now: number;
}

/** The account that takes the place of another. */
export interface Replacement {
  readonly address: AccountAddress;
  /** The Account after the transaction; null if it ends. */
  readonly account: Cell | null;
  readonly status: AccountEntry['status'];
  /** Nanotons before and after. */
  readonly balances: readonly [bigint, bigint];
  /** Comment of the message of the system. */
  readonly comment: string;
}

/** A change as a transaction. */
export interface ChangedAccount {
  readonly transaction: ExecutedTransaction;
  /** The message that it received. */
  readonly message: Cell;
  /** Nanotons that the change adds to the chain. */
  readonly minted: bigint;
}

/** `-1:0…0`: new coins of the protocol come from it, and no transaction sends its messages. */
const SYSTEM: AccountAddress = { workchain: -1, address: new Uint8Array(32) };
// account_none$0 = Account;
const ACCOUNT_NONE = new CellBuilder().bit(false).cell();

/**
 * Makes the transaction that replaces an account. A message of the system brings coins that are added; coins that are taken are
 * collected as a storage fee. No code runs.
 */
export function replaceAccount(
  { before, last, lt, now }: TransactionPlace,
  { address, account, status, balances: [oldBalance, newBalance], comment }: Replacement,
): ChangedAccount {
  const endLt = lt + 1n;
  const [minted, taken] =
    newBalance > oldBalance ? [newBalance - oldBalance, 0n] : [0n, oldBalance - newBalance];
  const message = systemMessage(address, comment, { value: minted, createdLt: lt - 1n, now });
  const [oldHash, newHash] = [(before?.account ?? ACCOUNT_NONE).hash(), (account ?? ACCOUNT_NONE).hash()];
  const cell = transactionCell({
    address: address.address,
    before: last,
    lt,
    now,
    outMsgs: 0,
    status: { before: STATUS[before?.status ?? 'nonexist'], after: STATUS[account ? status : 'nonexist'] },
    messages: new CellBuilder().bit(true).bit(false).ref(message).cell(),
    fees: taken,
    update: hashUpdate(oldHash, newHash),
    description: changeDescription({ minted, taken, after: account ? status : null, before }),
  });
  const after = account && entryOfAccount(account, { lastTransHash: cell.hash(), lastTransLt: lt });
  const made = { cell, lt, endLt, fees: grams(taken), gas: 0, oldHash, newHash, messages: [], before, after };
  return { transaction: { accepted: true, address: address.address, ...made }, message, minted };
}

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
function systemMessage(
  to: AccountAddress,
  comment: string,
  { value, createdLt, now }: { readonly value: bigint; readonly createdLt: bigint; readonly now: number },
): Cell {
  const builder = new CellBuilder().uint(0b0100, 4).with(storeAddress, SYSTEM).with(storeAddress, to);
  builder.coins(value).bit(false).coins(0n).coins(0n).u64(createdLt).uint(now, 32);
  return builder.bit(false).maybeRef(commentBody(comment)).cell();
}
