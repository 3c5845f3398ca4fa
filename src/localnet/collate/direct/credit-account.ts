import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { grams } from '../../../ton/currencies/money.ts';
import type { AccountEntry } from '../../ledger/account-entry.ts';
import type { ExecutedTransaction } from '../../ledger/executed-transaction.ts';
import type { OutMessage } from '../../ledger/out-message.ts';
import type { DirectTerms } from './direct-terms.ts';
import {
  accountHead,
  byteLength,
  hashUpdate,
  STATUS,
  STORAGE_BITS,
  storageFee,
  transactionCell,
} from './plain-cells.ts';

/** A message, and what it meets. */
export interface Credit {
  readonly message: OutMessage;
  /** The account; null if there is none. */
  readonly before: AccountEntry | null;
  /** The lowest lt that the transaction may have. */
  readonly minLt: bigint;
}

// account_none$0 = Account;
const ACCOUNT_NONE = new CellBuilder().bit(false).cell();
const NO_LIBRARIES: ReadonlyMap<string, Cell> = new Map();

/**
 * The transaction of a message that only adds coins to an account without code: storage phase, credit phase, no
 * compute phase for want of a state (`cskip_no_state`). It is what the node's executor makes of it, bit for bit, which
 * a test compares. Null for whatever is not as plain as that.
 */
export function creditAccount(
  { message, before, minLt }: Credit,
  { now, storage }: DirectTerms,
): ExecutedTransaction | null {
  const { dest, value, bounce, hasInit } = message;
  const { address, workchain } = dest;
  if (workchain !== 0 || bounce || hasInit || value.extra?.length !== 0) return null;
  // An account without coins is none.
  if (value.grams === 0n) return null;
  if (before && !isPlain(before, storage.since)) return null;
  const had = before?.balance.grams ?? 0n;
  const fee = before ? storageFee(getStorageUse(had), now - before.paidUntil!, storage) : 0n;
  if (fee > had) return null;
  const lt = before && before.endLt > minLt ? before.endLt : minLt;
  const endLt = lt + 1n;
  const balance = had - fee + value.grams;
  const head = accountHead({ address, use: getStorageUse(balance), lastPaid: now, endLt, balance });
  const account = head.uint(STATUS.uninit, 2).cell();
  const [oldHash, newHash] = [(before?.account ?? ACCOUNT_NONE).hash(), account.hash()];
  const cell = transactionCell({
    address,
    before,
    lt,
    now,
    outMsgs: 0,
    status: { before: before ? STATUS.uninit : STATUS.nonexist, after: STATUS.uninit },
    messages: new CellBuilder().bit(true).bit(false).ref(message.cell).cell(),
    fees: fee,
    update: hashUpdate(oldHash, newHash),
    description: description(value.grams, fee),
  });
  const after: AccountEntry = {
    account,
    lastTransHash: cell.hash(),
    lastTransLt: lt,
    balance: grams(balance),
    endLt,
    special: null,
    libraries: NO_LIBRARIES,
    status: 'uninit',
    paidUntil: now,
  };
  const fees = grams(fee);
  return {
    accepted: true,
    address,
    cell,
    lt,
    endLt,
    fees,
    gas: 0,
    oldHash,
    newHash,
    messages: [],
    before,
    after,
  };
}

function isPlain({ status, paidUntil, balance }: AccountEntry, since: number): boolean {
  return status === 'uninit' && paidUntil !== null && paidUntil >= since && balance.extra?.length === 0;
}

/** One cell; the state is two bits of it. */
function getStorageUse(balance: bigint) {
  return { cells: 1, bits: STORAGE_BITS + 2 + 8 * byteLength(balance) };
}

// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase)
//   destroyed:Bool = TransactionDescr;
// tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange;
// tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection;
// tr_phase_compute_skipped$0 reason:ComputeSkipReason;   cskip_no_state$00
function description(credit: bigint, fee: bigint): Cell {
  const builder = new CellBuilder().uint(0b0000_1_1, 6).coins(fee).uint(0b0_0, 2);
  builder.uint(0b1_0, 2).coins(credit).bit(false);
  // Compute phase skipped for no state, no action phase, aborted, no bounce phase, not destroyed.
  return builder.uint(0b0_00_0_1_0_0, 7).cell();
}
