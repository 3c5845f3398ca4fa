import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { reuseCells } from '../../../ton/cell/reuse-cells.ts';
import { grams, NO_MONEY } from '../../../ton/currencies/money.ts';
import { commentBody } from '../../../ton/messages/text-comment.ts';
import { type AccountAddress, storeAddress } from '../../../ton/store/store-address.ts';
import { type AccountEntry, entryOfAccount } from '../../ledger/account-entry.ts';
import type { ExecutedTransaction } from '../../ledger/executed-transaction.ts';
import { hashUpdate, STATUS, transactionCell } from '../direct/plain-cells.ts';
import { type AccountFacts, joinAccount, type StateParts, splitAccount } from './account-parts.ts';
import type { AccountChange } from './intervention.ts';
import { changeDescription } from './set-description.ts';

/** A change and what it meets. */
export interface ChangeInput {
  readonly change: AccountChange;
  /** The account; null if there is none. */
  readonly before: AccountEntry | null;
  /** Its last transaction; null for none. An account that ended in this block still has one. */
  readonly last: Pick<AccountEntry, 'lastTransHash' | 'lastTransLt'> | null;
  /** The lowest lt that the transaction may have. */
  readonly lt: bigint;
  readonly now: number;
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
 * Makes the transaction that sets an account's state. A message of the system brings coins that are added; coins that
 * are taken are collected as a storage fee. The new state is that of the change: no code runs.
 */
export function setAccount({ change, before, last, lt, now }: ChangeInput): ChangedAccount {
  const { account: address } = change;
  const had = before && splitAccount(before.account);
  const endLt = lt + 1n;
  const oldBalance = had?.balance.grams ?? 0n;
  const balance = { ...(had?.balance ?? NO_MONEY), grams: change.balance ?? oldBalance };
  const state = changedState(had?.state ?? { status: 'uninit' }, change);
  const isNone = state.status === 'uninit' && balance.grams === 0n && balance.extra?.length === 0;
  const parts: AccountFacts = { balance, lastPaid: now, duePayment: null, state, endLt };
  const account = isNone ? null : reuseCells(joinAccount(address, parts), before?.account ?? null);
  const [minted, taken] =
    balance.grams > oldBalance ? [balance.grams - oldBalance, 0n] : [0n, oldBalance - balance.grams];
  const message = systemMessage(change, { value: minted, createdLt: lt - 1n, now });
  const [oldHash, newHash] = [(before?.account ?? ACCOUNT_NONE).hash(), (account ?? ACCOUNT_NONE).hash()];
  const status = {
    before: STATUS[before?.status ?? 'nonexist'],
    after: STATUS[account ? state.status : 'nonexist'],
  };
  const cell = transactionCell({
    address: address.address,
    before: last,
    lt,
    now,
    outMsgs: 0,
    status,
    messages: new CellBuilder().bit(true).bit(false).ref(message).cell(),
    fees: taken,
    update: hashUpdate(oldHash, newHash),
    description: changeDescription({ minted, taken, after: account ? state.status : null, before }),
  });
  const after = account && entryOfAccount(account, { lastTransHash: cell.hash(), lastTransLt: lt });
  const made = { cell, lt, endLt, fees: grams(taken), gas: 0, oldHash, newHash, messages: [], before, after };
  return { transaction: { accepted: true, address: address.address, ...made }, message, minted };
}

function changedState(state: StateParts, { code, data }: AccountChange): StateParts {
  if (code === undefined && data === undefined) return state;
  const active = state.status === 'active' ? state : NEW_STATE;
  return { ...active, code: code ?? active.code, data: data ?? active.data };
}

const NEW_STATE = {
  status: 'active',
  splitDepth: null,
  special: null,
  code: null,
  data: null,
  library: null,
} as const;

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
function systemMessage(
  { account, balance, code, data }: AccountChange,
  { value, createdLt, now }: { readonly value: bigint; readonly createdLt: bigint; readonly now: number },
): Cell {
  const parts = Object.entries({ balance, code, data }).filter(([, part]) => part !== undefined);
  const body = commentBody(`localnet: set ${parts.map(([name]) => name).join(', ')}`);
  const builder = new CellBuilder().uint(0b0100, 4).with(storeAddress, SYSTEM).with(storeAddress, account);
  builder.coins(value).bit(false).coins(0n).coins(0n).u64(createdLt).uint(now, 32);
  return builder.bit(false).maybeRef(body).cell();
}
