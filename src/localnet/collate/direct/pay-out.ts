import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { countCells } from '../../../ton/cell/count-cells.ts';
import { numberKey } from '../../../ton/cell/key-bits.ts';
import { NO_EXTRA, Trie } from '../../../ton/cell/trie.ts';
import { grams } from '../../../ton/currencies/money.ts';
import { type AccountAddress, storeAddress } from '../../../ton/store/store-address.ts';
import type { AccountEntry } from '../../ledger/account-entry.ts';
import type { ExecutedTransaction } from '../../ledger/executed-transaction.ts';
import type { OutMessage } from '../../ledger/out-message.ts';
import type { Transfer } from '../../wallets/transfer.ts';
import type { DirectTerms, ForwardPrices, GasPrices } from './direct-terms.ts';
import { PAYER_CODE, PAYER_RUN } from './payer.ts';
import { type PhaseCosts, payoutDescription } from './payout-phases.ts';
import {
  accountHead,
  byteLength,
  hashUpdate,
  roundUp,
  STATUS,
  STORAGE_BITS,
  type StorageUse,
  storageFee,
  transactionCell,
} from './plain-cells.ts';

/** A message with a payer's orders. */
export interface Payout {
  /** As `payoutMessage` makes it of these transfers. */
  readonly cell: Cell;
  readonly dest: AccountAddress;
  readonly transfers: readonly Transfer[];
  readonly before: AccountEntry | null;
  /** The lowest lt that the transaction may have. */
  readonly minLt: bigint;
}

/** Other costs, nanotons. */
interface Costs extends PhaseCosts {
  readonly import: bigint;
  readonly value: bigint;
}

/**
 * The transaction of a payer (payer.ts): its few instructions take the same gas each time, so the TVM is not needed.
 * The result equals the node's executor bit for bit; a test compares them. Null for another contract, for transfers
 * with more than a value, and if the balance might not suffice.
 */
export function payOut(payout: Payout, terms: DirectTerms): ExecutedTransaction | null {
  const { dest, transfers, before, minLt, cell: message } = payout;
  const { now } = terms;
  if (!before || !isPayer(before, dest, terms) || !transfers.every(isPlain)) return null;
  const costs = getCosts(payout, before, terms);
  const balance =
    before.balance.grams - costs.storage - costs.import - costs.gas - costs.forward - costs.value;
  if (balance < 0n) return null;
  const lt = before.endLt > minLt ? before.endLt : minLt;
  const messages = transfers.map((transfer, i) => outMessage(dest, transfer, lt + 1n + BigInt(i), terms));
  const endLt = lt + 1n + BigInt(messages.length);
  const account = accountCell(before, dest, { balance, endLt, lastPaid: now });
  const [oldHash, newHash] = [before.account.hash(), account.hash()];
  const fees = costs.storage + costs.import + costs.gas + costs.action;
  const cell = transactionCell({
    address: dest.address,
    before,
    lt,
    now,
    outMsgs: messages.length,
    status: { before: STATUS.active, after: STATUS.active },
    messages: messagesCell(message, messages),
    fees,
    update: hashUpdate(oldHash, newHash),
    description: payoutDescription(costs, message.refs[0]!.refs[0]!, messages),
  });
  const after: AccountEntry = {
    ...before,
    account,
    lastTransHash: cell.hash(),
    lastTransLt: lt,
    balance: grams(balance),
    endLt,
    paidUntil: now,
  };
  const { address } = dest;
  return {
    accepted: true,
    address,
    cell,
    lt,
    endLt,
    fees: grams(fees),
    gas: Number(PAYER_RUN.gas),
    oldHash,
    newHash,
    messages,
    before,
    after,
  };
}

function isPayer(before: AccountEntry, { workchain }: AccountAddress, { storage }: DirectTerms): boolean {
  const { status, paidUntil, balance, account } = before;
  if (workchain !== 0 || status !== 'active' || balance.extra?.length !== 0) return false;
  return paidUntil !== null && paidUntil >= storage.since && account.refs[0]?.key === PAYER_CODE.key;
}

function isPlain({ to, body, stateInit, mode }: Transfer): boolean {
  return to.workchain === 0 && body === undefined && stateInit === undefined && mode === undefined;
}

function getCosts({ cell, transfers }: Payout, before: AccountEntry, terms: DirectTerms): Costs {
  const { forward, now } = terms;
  const size = countCells(cell.refs);
  const count = BigInt(transfers.length);
  return {
    storage: storageFee(
      countStorageUse(before, before.balance.grams),
      now - before.paidUntil!,
      terms.storage,
    ),
    import: forward.lump + roundUp(forward.bit * BigInt(size.bits) + forward.cell * BigInt(size.cells)),
    gas: gasFee(terms.gas),
    forward: forward.lump * count,
    action: getSenderPart(forward) * count,
    value: transfers.reduce((sum, { value }) => sum + value, 0n),
  };
}

function gasFee({ flatLimit, flatPrice, price }: GasPrices): bigint {
  const beyond = PAYER_RUN.gas - flatLimit;
  return beyond > 0n ? flatPrice + roundUp(beyond * price) : flatPrice;
}

/** Part of a message's fee that the sender's shard keeps. */
function getSenderPart({ lump, firstPart }: ForwardPrices): bigint {
  return (lump * firstPart) >> 16n;
}

/** The state: active, no prefix, not special, code, data, no library. */
const STATE_BITS = 1 + 5;

function countStorageUse({ account }: AccountEntry, balance: bigint): StorageUse {
  const below = countCells(account.refs);
  return { cells: 1 + below.cells, bits: STORAGE_BITS + 8 * byteLength(balance) + STATE_BITS + below.bits };
}

// account_active$1 _:StateInit = AccountState;
// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(Maybe ^Cell) = StateInit;
function accountCell(
  before: AccountEntry,
  { address }: AccountAddress,
  facts: { balance: bigint; endLt: bigint; lastPaid: number },
): Cell {
  const [code, data] = before.account.refs;
  const builder = accountHead({ address, use: countStorageUse(before, facts.balance), ...facts });
  return builder.uint(0b1_0_0, 3).maybeRef(code!).maybeRef(data!).bit(false).cell();
}

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
// message$_ info:CommonMsgInfo init:(Maybe …) body:(Either X ^X) = Message X;
function outMessage(
  source: AccountAddress,
  { to: dest, value, bounce }: Transfer,
  createdLt: bigint,
  { forward, now }: DirectTerms,
): OutMessage {
  const fwdFee = forward.lump - getSenderPart(forward);
  const builder = new CellBuilder().uint(0b0_1, 2).bit(bounce).bit(false);
  builder.with(storeAddress, source).with(storeAddress, dest).coins(value).bit(false);
  const cell = builder.coins(0n).coins(fwdFee).u64(createdLt).uint(now, 32).uint(0b0_0, 2).cell();
  const hash = cell.hash();
  const money = grams(value);
  return {
    kind: 'internal',
    cell,
    hash,
    source,
    dest,
    value: money,
    fwdFee,
    createdLt,
    bounce,
    hasInit: false,
  };
}

// ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
function messagesCell(inMsg: Cell, outMsgs: readonly OutMessage[]): Cell {
  let dict = Trie.empty<Cell>({ keyBits: 15, store: (builder, cell) => builder.ref(cell), extra: NO_EXTRA });
  for (const [i, { cell }] of outMsgs.entries()) dict = dict.set(numberKey(i, 15), cell);
  const builder = new CellBuilder().maybeRef(inMsg);
  dict.store(builder);
  return builder.cell();
}
