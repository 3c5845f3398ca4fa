import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { reuseCells } from '../../ton/cell/reuse-cells.ts';
import type { Trie } from '../../ton/cell/trie.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import type { Money } from '../../ton/currencies/money.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { loadShardAccount } from '../../ton/tlb/account/shard-account.ts';
import { loadTransaction } from '../../ton/tlb/transaction/transaction.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import type { Emulator, RefusedMessage, TransactionRequest } from '../../tvm/emulator.ts';
import {
  type AccountEntry,
  NO_SHARD_ACCOUNT,
  noShardAccount,
  readAccountEntry,
  shardAccountText,
} from '../ledger/account-entry.ts';
import type { ExecutedTransaction } from '../ledger/executed-transaction.ts';
import { type OutMessage, readOutMessage } from '../ledger/out-message.ts';
import { LocalnetError } from '../localnet-error.ts';
import { creditAccount } from './direct/credit-account.ts';
import type { DirectTerms } from './direct/direct-terms.ts';
import { payOut } from './direct/pay-out.ts';
import type { ExternalMessage } from './external-message.ts';
import type { AccountChange, AccountLoad, Impersonation } from './intervene/intervention.ts';
import { loadAccount } from './intervene/load-account.ts';
import type { ChangedAccount, TransactionPlace } from './intervene/replace-account.ts';
import { sendAs } from './intervene/send-as.ts';
import { setAccount } from './intervene/set-account.ts';
import { type Unexecuted, withoutGas } from './unexecuted.ts';

/** A message that was refused, or (`isFailure`) on which the executor failed. */
type NotExecuted = RefusedMessage & { readonly isFailure: boolean };

/**
 * An account that ended in a transaction of this block: it is in no dictionary, but its lts continue within the block.
 * Otherwise two transactions could have the same position.
 */
interface Ghost {
  readonly endLt: bigint;
  readonly text: string;
  readonly lastTransHash: Uint8Array;
  readonly lastTransLt: bigint;
}

/** Executes transactions one after the other on the accounts of one shard. */
export class TransactionRun {
  accounts: Trie<AccountEntry, Money>;
  private readonly emulator: Emulator;
  private readonly direct: DirectTerms | null;
  private readonly ghosts = new Map<string, Ghost>();
  /** States that the emulator returned for accounts of this block: they need not be serialised again. */
  private readonly texts = new Map<string, string>();

  /** Messages that the executor failed on. */
  readonly unexecuted: Unexecuted[] = [];

  /** `direct`: transactions that need no TVM are made without it by these terms; null: it makes all. */
  constructor(emulator: Emulator, accounts: Trie<AccountEntry, Money>, direct: DirectTerms | null = null) {
    this.emulator = emulator;
    this.accounts = accounts;
    this.direct = direct;
  }

  /** Executes an internal message, which cannot be refused. @throws LocalnetError */
  deliver(message: OutMessage, minLt: bigint): ExecutedTransaction {
    const { dest, cell } = message;
    const { address } = dest;
    const credited =
      this.direct && !this.ghosts.has(toHex(address))
        ? creditAccount({ message, before: this.entry(address), minLt }, this.direct)
        : null;
    if (credited) return this.addTransaction(credited);
    return this.mustExecute(dest, messageInput(cell), minLt, { kind: 'internal', message: message.hash });
  }

  /** Runs a special account without a message. @throws LocalnetError */
  special(account: AccountAddress, which: 'tick' | 'tock', minLt: bigint): ExecutedTransaction {
    return this.mustExecute(account, { special: which }, minLt, { kind: which, message: null });
  }

  /** Executes an external message. A refused one changes nothing. */
  external({ cell, dest, transfers }: ExternalMessage, minLt: bigint): ExecutedTransaction | RefusedMessage {
    const { address } = dest;
    const paid =
      this.direct && transfers
        ? payOut({ cell, dest, transfers, before: this.entry(address), minLt }, this.direct)
        : null;
    if (paid) return this.addTransaction(paid);
    const result = this.execute(address, messageInput(cell), minLt);
    if (!result.accepted && result.isFailure)
      this.unexecuted.push({ kind: 'external', account: dest, message: cell.hash(), reason: result.error });
    return result;
  }

  /** Sets the state of an account without its code. */
  set(change: AccountChange, minLt: bigint): ChangedAccount {
    const changed = setAccount(change, this.findPlace(change.account.address, minLt));
    this.place(changed.transaction, null);
    return changed;
  }

  /** Loads an account of a fork; null if the account exists. */
  load(load: AccountLoad, minLt: bigint): ChangedAccount | null {
    const { address } = load.account;
    if (this.entry(address)) return null;
    const changed = loadAccount(load, this.findPlace(address, minLt));
    this.place(changed.transaction, null);
    return changed;
  }

  private findPlace(address: Uint8Array, minLt: bigint): TransactionPlace {
    const before = this.entry(address);
    const ghost = this.ghosts.get(toHex(address));
    const lt = highest(minLt, before?.endLt ?? ghost?.endLt ?? 0n);
    return { before, last: before ?? ghost ?? null, lt, now: this.emulator.entered!.now };
  }

  /** Sends a message as an account. A refused message changes nothing. @throws LocalnetError, EmulatorError */
  sendAs(impersonation: Impersonation, minLt: bigint): ExecutedTransaction | RefusedMessage {
    const { address } = impersonation.account;
    const before = this.entry(address);
    if (!before) return { accepted: false, error: 'there is no account', exitCode: null, vmLog: '' };
    const sent = sendAs(this.emulator, impersonation, before, highest(minLt, before.endLt));
    if (!sent.accepted) return sent;
    const transaction = readTransaction(address, sent.transaction, before, sent.after);
    this.place(transaction, null);
    return transaction;
  }

  /** Like `execute`, for messages that must have a transaction: if the executor fails, one without a compute phase. */
  private mustExecute(
    account: AccountAddress,
    input: TransactionRequest['input'],
    minLt: bigint,
    what: Pick<Unexecuted, 'kind' | 'message'>,
  ): ExecutedTransaction {
    const result = this.execute(account.address, input, minLt);
    if (result.accepted) return result;
    this.unexecuted.push({ ...what, account, reason: result.error });
    const skipped = withoutGas(this.emulator, () => this.execute(account.address, input, minLt));
    if (skipped.accepted) return skipped;
    const name = `${account.workchain}:${toHex(account.address)}`;
    throw new LocalnetError(`transaction of ${name}`, 'an executed one', skipped.error);
  }

  /**
   * Executes a transaction at the lowest lt that its account allows from `minLt` on. Tries twice: a failure may come
   * from the emulator's earlier work, and a new instance replaces it.
   */
  private execute(
    address: Uint8Array,
    input: TransactionRequest['input'],
    minLt: bigint,
  ): ExecutedTransaction | NotExecuted {
    try {
      return this.attempt(address, input, minLt);
    } catch {
      try {
        return this.attempt(address, input, minLt);
      } catch (error) {
        return { accepted: false, error: String(error), exitCode: null, vmLog: '', isFailure: true };
      }
    }
  }

  private attempt(
    address: Uint8Array,
    input: TransactionRequest['input'],
    minLt: bigint,
  ): ExecutedTransaction | NotExecuted {
    const key = toHex(address);
    const before = this.entry(address);
    const ghost = this.ghosts.get(key);
    const lowest = before?.endLt ?? ghost?.endLt ?? 0n;
    const text =
      this.texts.get(key) ?? (before ? shardAccountText(before) : (ghost?.text ?? NO_SHARD_ACCOUNT));
    const lt = highest(lowest, minLt);
    const answer = this.emulator.transact({ shardAccount: text, input, lt });
    if (!answer.accepted) return { ...answer, isFailure: false };
    const after = readEntry(answer.shardAccount, before);
    const transaction = readTransaction(address, answer.transaction, before, after);
    this.place(transaction, answer.shardAccount);
    return transaction;
  }

  /** Takes the account as a transaction left it. `text`: its ShardAccount, if the emulator returned it. */
  private place({ address, cell, lt, endLt, after }: ExecutedTransaction, text: string | null): void {
    const key = toHex(address);
    if (after && text !== null) this.texts.set(key, text);
    else this.texts.delete(key);
    if (after) {
      this.accounts = this.accounts.set(address, after);
      this.ghosts.delete(key);
      return;
    }
    this.accounts = this.accounts.delete(address);
    const last = { lastTransHash: cell.hash(), lastTransLt: lt };
    this.ghosts.set(key, { endLt, text: text ?? noShardAccount(last), ...last });
  }

  private entry(address: Uint8Array): AccountEntry | null {
    return this.accounts.get(address) ?? null;
  }

  /** Takes a transaction that was made without the TVM. */
  private addTransaction(transaction: ExecutedTransaction): ExecutedTransaction {
    this.accounts = this.accounts.set(transaction.address, transaction.after!);
    this.texts.delete(toHex(transaction.address));
    return transaction;
  }
}

function highest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** A message as the emulator takes it. */
function messageInput(cell: Cell): { message: string } {
  return { message: toBase64(writeBag(cell, { index: false })) };
}

/** The account after a transaction; unchanged cells are the objects of the account before. */
function readEntry(text: string, before: AccountEntry | null): AccountEntry | null {
  const boc = parseBoc(Buffer.from(text, 'base64'));
  const cells = new CellsOfBag(boc);
  const shardAccount = loadWholeCell(boc, onlyRoot(boc), 'ShardAccount', loadShardAccount);
  const account = reuseCells(cells.cell(shardAccount.account), before?.account ?? null);
  return readAccountEntry(cells, shardAccount, account);
}

function readTransaction(
  address: Uint8Array,
  bag: Uint8Array,
  before: AccountEntry | null,
  after: AccountEntry | null,
): ExecutedTransaction {
  const boc = parseBoc(bag);
  const cells = new CellsOfBag(boc);
  const root = onlyRoot(boc);
  const read = loadWholeCell(boc, root, 'Transaction', loadTransaction);
  const { lt, outMsgs, totalFees, stateUpdate, description } = read;
  const { compute } = description;
  return {
    accepted: true,
    address,
    cell: cells.cell(root),
    lt,
    endLt: lt + 1n + BigInt(outMsgs.length),
    fees: totalFees,
    gas: compute?.kind === 'vm' ? Number(compute.gasUsed) : 0,
    ...stateUpdate,
    messages: outMsgs.map((index) => readOutMessage(boc, index, cells.cell(index))),
    before,
    after,
  };
}
