import { StoreTimeoutError } from '../../platform/clickhouse/store-errors.ts';
import { formatRaw } from '../../ton/address/address.ts';
import { BaseColumns } from '../../ton/columns/base-columns.ts';
import { type DetachedBlock, DetachedTransaction } from '../../ton/decode/detached-transaction.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { configParam } from '../chain/config-param.ts';
import { needChain, notHeld } from '../chain/need-chain.ts';
import { TraceLibraries } from '../chain/trace-libraries.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { compareByLt } from '../entities/transactions/order.ts';
import { DeadlineError } from '../http/errors/caller-errors.ts';
import { HttpError, OverloadedError } from '../http/errors/http-error.ts';
import { toRows } from '../pending/decoded-rows.ts';
import type { ReadScope } from '../query/scope.ts';
import type { BaseState } from './base-state.ts';
import { CellTexts } from './cell-texts.ts';
import { type EmulatedAccount, readEmulatedAccount } from './emulated-account.ts';
import { FollowingBlocks } from './following-blocks.ts';
import { EmulationBudget, MAX_DEPTH, MAX_TRANSACTIONS } from './limits.ts';
import { type RoutedMessage, routedMessages } from './routed-message.ts';

/** Message to be run, and the options of the run. */
export interface EmulationOrder {
  readonly message: RoutedMessage;
  /** Instructions that check signatures answer true. */
  readonly ignoreSignature: boolean;
  /** `rand_seed` of all blocks, 32 bytes. */
  readonly randomSeed: Uint8Array;
  /** Whether code and data of the states are kept. */
  readonly withCells: boolean;
}

/** Outcome of an emulated message. */
export interface EmulatedTrace {
  /** By lt, then account; the first belongs to the external message. */
  readonly rows: readonly TransactionRow[];
  /** The states after it, by raw address. */
  readonly accounts: ReadonlyMap<string, EmulatedAccount>;
  readonly cells: CellTexts;
  /** A message was not followed: a limit was hit, or the state of its account is not held. */
  readonly isIncomplete: boolean;
}

/** Parameter of the configuration with the version of the network: `capabilities#c4 version:uint32 capabilities:uint64`. */
const VERSION_PARAM = 8;

/**
 * Runs an external message and its consequences on the states of a masterchain block: in its shard's next block, then
 * messages to other shards in later blocks, within the limits.
 */
export class TraceEmulation {
  private scope: ReadScope;
  private readonly base: BaseState;
  private readonly order: EmulationOrder;
  private readonly blocks: FollowingBlocks;
  private readonly budget = new EmulationBudget();
  private readonly columns = new BaseColumns();
  private readonly accounts = new Map<string, EmulatedAccount>();
  private readonly cells = new CellTexts();
  private readonly libraries = new TraceLibraries();
  private readonly version: number;
  private now: RoutedMessage[] = [];
  private readonly later: RoutedMessage[] = [];
  private transactions = 0;
  private untaken = 0;
  private endLt = 0n;

  constructor(scope: ReadScope, base: BaseState, order: EmulationOrder) {
    this.scope = scope;
    this.base = base;
    this.order = order;
    this.blocks = new FollowingBlocks(base.point);
    this.version = networkVersion(base.view.config);
  }

  /**
   * Runs the external message itself.
   * @throws HttpError it is not accepted, too many wait, or its account's state is not held; the reason of the signal
   */
  async begin(): Promise<void> {
    const { message } = this.order;
    this.blocks.next();
    const block = this.blocks.findBlock(message.to);
    if (!block) throw notHeld(`no shard of workchain ${message.to.workchain} is known`);
    this.route((await this.deliver(message, block)) ?? [], block);
  }

  /**
   * Runs its consequences, within the limits and the time of the caller of `scope`.
   * @throws HttpError if too many wait; the reason of the signal, unless it is the time
   */
  async follow(scope: ReadScope): Promise<EmulatedTrace> {
    this.scope = scope;
    try {
      while (this.now.length > 0 || this.later.length > 0) await this.runStep();
    } catch (error) {
      if (!(error instanceof DeadlineError || error instanceof StoreTimeoutError)) throw error;
      this.untaken++;
    }
    return {
      rows: toRows(this.columns).sort((a, b) => compareByLt(a, b)),
      accounts: this.accounts,
      cells: this.cells,
      isIncomplete: this.untaken > 0,
    };
  }

  /** Messages of the step's blocks reach their accounts by lt, then hash; then the next step begins. */
  private async runStep(): Promise<void> {
    for (let next = this.now.shift(); next; next = this.now.shift()) {
      const block = this.mayFollow(next) ? this.blocks.findBlock(next.to) : null;
      const sent = block && (await this.tryDeliver(next, block));
      if (sent) this.route(sent, block);
      else this.untaken++;
    }
    this.now = this.later.splice(0).sort(byAge);
    this.blocks.next(this.endLt);
  }

  /** Messages of a block to its own shard are taken in it, the rest in the blocks after. */
  private route(sent: readonly RoutedMessage[], block: DetachedBlock): void {
    for (const message of sent) {
      const isNear = isSameBlock(this.blocks.findBlock(message.to), block);
      (isNear ? this.now : this.later).push(message);
    }
    this.now.sort(byAge);
  }

  private mayFollow({ depth }: RoutedMessage): boolean {
    return depth <= MAX_DEPTH && this.transactions < MAX_TRANSACTIONS && !this.budget.isSpent;
  }

  /** As `deliver`; null where nothing can be said of the message. */
  private async tryDeliver(
    message: RoutedMessage,
    block: DetachedBlock,
  ): Promise<readonly RoutedMessage[] | null> {
    try {
      return await this.deliver(message, block);
    } catch (error) {
      if (error instanceof HttpError && !(error instanceof OverloadedError)) return null;
      throw error;
    }
  }

  /** Runs the transaction of a message. @returns the messages to accounts that it sends */
  private async deliver(
    message: RoutedMessage,
    block: DetachedBlock,
  ): Promise<readonly RoutedMessage[] | null> {
    const name = formatRaw(message.to.workchain, message.to.address);
    const before = await this.account(name, message.to);
    if (!this.base.hasLibraries) await this.findLibraries(message, before);
    const { config, prevBlocks } = this.base.view;
    const libraries = this.base.hasLibraries ? this.base.view.libraries : this.libraries.dictionary;
    const { randomSeed, ignoreSignature } = this.order;
    const answer = await needChain(this.scope.context).runner.tryTransaction(
      {
        address: name,
        block: { config, now: this.blocks.utime, randomSeed, prevBlocks, libraries },
        request: {
          shardAccount: before.text,
          input: { message: message.text },
          lt: largest(this.blocks.startLt, message.createdLt + 1n, before.endLt),
          ignoreSignature,
        },
      },
      this.scope.caller,
    );
    if (!answer.accepted) {
      if (message.depth > 0) return null;
      throw new HttpError(500, `EmulationExternalNotAccepted: ${answer.exitCode ?? NOT_RUN}`);
    }
    this.budget.takeState(answer.shardAccount);
    const done = new DetachedTransaction(answer.transaction, this.version);
    const size = done.transaction.description.action?.totMsgSize;
    if (size && !this.budget.takeMessages(size)) return this.tooLarge(message);
    const after = getAccountAfter(answer.shardAccount, done);
    // Deployed with a code that is not stored.
    this.requireCode(after.cells);
    this.take(name, after);
    done.writeRow(this.columns, block, { before: before.state, after: after.state });
    this.transactions++;
    this.endLt = largest(this.endLt, after.endLt);
    return routedMessages(done, message.depth + 1);
  }

  /** Finds libraries of account and message, which may deploy it. @throws HttpError the account's code is not stored */
  private async findLibraries(
    { text }: RoutedMessage,
    { text: state, cells }: EmulatedAccount,
  ): Promise<void> {
    await this.libraries.add(this.scope, state);
    await this.libraries.add(this.scope, text);
    this.requireCode(cells);
  }

  private requireCode(cells: EmulatedAccount['cells']): void {
    if (cells && !this.base.hasLibraries) this.libraries.require(cells.boc, cells.code);
  }

  /** Nothing more is written of a trace whose messages take too much. */
  private tooLarge({ depth }: RoutedMessage): null {
    if (depth === 0) throw new HttpError(500, 'the messages of the first transaction are too large');
    return null;
  }

  private async account(name: string, address: AccountAddress): Promise<EmulatedAccount> {
    const known = this.accounts.get(name);
    if (known) return known;
    const account = readEmulatedAccount(await this.base.account(this.scope, address));
    this.budget.takeState(account.text);
    this.take(name, account);
    return account;
  }

  private take(name: string, account: EmulatedAccount): void {
    this.accounts.set(name, account);
    if (this.order.withCells) this.cells.add(account);
  }
}

/** Exit code of a message that no contract looked at (`ComputePhase::exit_code` of the reference node before a run). */
const NOT_RUN = -1;

/** A deleted account has no lt, but the lts of its transactions continue. */
function getAccountAfter(text: string, { transaction }: DetachedTransaction): EmulatedAccount {
  const account = readEmulatedAccount(text);
  const endLt = transaction.lt + 1n + BigInt(transaction.outMsgs.length);
  return { ...account, endLt: largest(account.endLt, endLt) };
}

function isSameBlock(a: DetachedBlock | null, b: DetachedBlock): boolean {
  return a?.workchain === b.workchain && a.shard === b.shard;
}

function networkVersion(config: string): number {
  const slice = configParam(config, VERSION_PARAM);
  if (slice?.uint(8) !== 0xc4) return 0;
  return slice.uint(32);
}

function largest(...values: [bigint, ...bigint[]]): bigint {
  return values.reduce((most, value) => (value > most ? value : most));
}

function byAge(a: RoutedMessage, b: RoutedMessage): number {
  if (a.createdLt !== b.createdLt) return a.createdLt < b.createdLt ? -1 : 1;
  return Buffer.compare(a.hash, b.hash);
}
