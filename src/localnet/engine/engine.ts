import { readSourceBlock } from '../../capture/read-block.ts';
import type { SourceBlock } from '../../capture/source.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { commentBody } from '../../ton/messages/text-comment.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import { Emulator } from '../../tvm/emulator.ts';
import { runInPieces } from '../collate/pieces.ts';
import type { Unexecuted } from '../collate/unexecuted.ts';
import { type ForkSummary, summarizeFork } from '../fork/fork.ts';
import { genesisTokens, namedContracts } from '../genesis/genesis-contracts.ts';
import { type GenesisWallets, genesisWallets } from '../genesis/genesis-wallets.ts';
import { type AccountEntry, shardAccountText } from '../ledger/account-entry.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { LocalnetError, NotStartedError } from '../localnet-error.ts';
import { PendingTraces, type PendingTracesView } from '../pending/pending-traces.ts';
import { saveChain } from '../state/save-chain.ts';
import { Snapshots } from '../state/snapshots.ts';
import { type Snapshot, StateFiles } from '../state/state-files.ts';
import { Traffic } from '../traffic/traffic.ts';
import { trafficKinds } from '../traffic/traffic-kinds.ts';
import { TrafficPace } from '../traffic/traffic-pace.ts';
import { secretKeyHex } from '../wallets/key-pair.ts';
import { walletMessage } from '../wallets/transfer.ts';
import { walletSeqno } from '../wallets/wallet-seqno.ts';
import { type ChainView, findLibrary, proveOldBlock, RecentChains, viewChain } from './chain-view.ts';
import { type ChainClock, StepClock, SystemClock } from './clock.ts';
import { type EngineOptions, targetShards } from './engine-options.ts';
import { type ImpersonationOutcome, impersonate, type NewAccountParts, setAccount } from './intervene.ts';
import { type FetchedAccount, LateAccounts } from './late-accounts.ts';
import { type InterventionOutcome, LocalChain, type SendOutcome } from './local-chain.ts';
import {
  chainAt,
  type GenesisRecord,
  type LogEnd,
  type OpenGenesis,
  openGenesis,
  ownAccounts,
} from './open-chain.ts';
import { failure } from './parse-external.ts';

/** A step as the engine hands it out. */
export interface EngineStep {
  readonly mcSeqno: number;
  readonly blocks: readonly SourceBlock[];
  /** Whether the next step has something to do already. */
  readonly isBusy: boolean;
  /** External messages that were taken and then refused. */
  readonly refused: number;
  /** Messages that the executor failed on. */
  readonly unexecuted: readonly Unexecuted[];
  /** Why a snapshot that was due could not be written, to be retried after the next step; null for no failure. */
  readonly snapshotError: string | null;
}

/** A contract of the genesis that people may want to find. */
export interface ContractInfo {
  readonly name: string;
  readonly address: AccountAddress;
  /** Hex of 64 bytes: seed, then public key; null for a contract without a key. */
  readonly secretKey: string | null;
}

/** Tip of the chain. */
export interface EngineStatus {
  readonly mcSeqno: number;
  readonly utime: number;
  readonly pending: number;
  /** Transactions per second that are generated. */
  readonly traffic: number;
  /** Interventions that steps have done since the chain was resumed. */
  readonly intervened: number;
}

/** An account with what a get method needs. */
export interface AccountView {
  /** ShardAccount as a BoC in base64; null for no account. */
  readonly shardAccount: string | null;
  /** Configuration dictionary as a BoC in base64. */
  readonly config: string;
  readonly mcSeqno: number;
  readonly utime: number;
}

const VALID_SECONDS = 60;
/** More than the fees of a transfer, nanotons. */
const FUND_FEES = 100_000_000n;
/** Times of blocks have 32 bits; some are left for blocks to come. */
const LAST_UTIME = 2 ** 32 - 1_000_000;
/** States kept for readers of the log; a store is rarely more than two or three behind. */
const RECENT = 16;

/**
 * The local chain with its files, faucet and traffic. It blocks its thread while it works, but a step is made one
 * transaction at a time and written in the background: readers see the chain before the step until it is stored. Calls
 * that change the chain are sequential.
 */
export class Engine {
  readonly genesis: GenesisRecord;
  private readonly fork: ForkSummary | null;
  private readonly options: EngineOptions;
  private readonly files: StateFiles;
  private readonly emulator: Emulator;
  private readonly wallets: GenesisWallets;
  private readonly recent = new RecentChains(RECENT);
  private pendingTraces = new PendingTraces();
  private local: LocalChain | null = null;
  private clock: ChainClock;
  private traffic: Traffic | null = null;
  private impersonations = 0;
  /** Accounts that are loaded from the origin of a fork; null in a chain without one. */
  private late: LateAccounts | null = null;
  private readonly pace: TrafficPace;
  private readonly snapshots: Snapshots;

  private constructor(options: EngineOptions, files: StateFiles, opened: OpenGenesis, emulator: Emulator) {
    this.options = options;
    this.files = files;
    this.genesis = opened.genesis;
    this.fork = opened.fork && summarizeFork(opened.fork);
    this.emulator = emulator;
    this.wallets = genesisWallets(options.seed, options.globalId);
    this.clock = new StepClock(0);
    this.pace = new TrafficPace(options.traffic);
    this.snapshots = new Snapshots(files);
  }

  /** @throws LocalnetStateError, ShardCountError, ForkError */
  static async open(options: EngineOptions): Promise<Engine> {
    targetShards(options.shards);
    const files = new StateFiles(options.directory);
    return new Engine(options, files, await openGenesis(files, options), await Emulator.create());
  }

  /** Masterchain, basechain. */
  zerostates(): readonly [Uint8Array, Uint8Array] {
    return this.genesis.zerostates;
  }

  /** What the fork that was given now has loaded, and left out; null if none was given. */
  forkSummary(): ForkSummary | null {
    return this.fork;
  }

  /** Addresses of the example contracts. */
  contracts(): ContractInfo[] {
    const { seed, globalId } = this.options;
    const faucet = this.wallets.faucet.address;
    const named = namedContracts({ seed, globalId, faucet, utime: this.genesis.utime });
    return named.map(({ name, contract: { address }, key }) => ({
      name,
      address,
      secretKey: key ? secretKeyHex(key) : null,
    }));
  }

  /** Continues after the end of the log; null for a log without a block. @throws LocalnetStateError */
  async resume(end: LogEnd | null): Promise<void> {
    const { files, genesis, options, emulator } = this;
    const start = { mcSeqno: 0, rootHash: genesis.start.states[0]!.block.rootHash };
    const { chain, loaded } = chainAt(files, genesis, end ?? start, options.directory);
    const { seed, shards, limit } = options;
    this.recent.add(chain);
    const late = options.origin && new LateAccounts(ownAccounts(genesis), loaded);
    this.late = late;
    this.local = new LocalChain({
      chain,
      emulator,
      seed,
      targetShards: targetShards(shards),
      limit,
      ...(late && { isKnown: (state, account) => late.isKnown(state, account) }),
    });
    this.pendingTraces = new PendingTraces();
    const { utime } = chain.masterchain;
    this.clock =
      options.secondsPerBlock === null ? new SystemClock(utime) : new StepClock(options.secondsPerBlock);
    const tokens = genesisTokens({ ...options, faucet: this.wallets.faucet.address });
    this.traffic = new Traffic(seed, this.wallets.traffic, trafficKinds(tokens));
    this.pace.restart();
    await this.snapshots.write(this.snapshot());
    files.prune((seqno) => seqno === chain.masterchain.block.seqno);
  }

  /** Makes the next step and keeps it, before anyone else knows of it. */
  async step(): Promise<EngineStep> {
    const local = this.started();
    const { utime: previous } = local.chain.masterchain;
    const utime = this.clock.peek(previous);
    this.addTraffic(local, utime);
    if (this.late) local.load(this.late.due(local.chain));
    const made = await runInPieces(local.make(utime));
    const { blocks, refused } = made;
    const mcSeqno = made.chain.masterchain.block.seqno;
    const sources = blocks.map(({ boc }) => readSourceBlock(boc, 'localnet'));
    // A failure up to here changes nothing: the step can be made again.
    const loaded = made.hasIntervened ? local.loading.map(toAccountName) : [];
    const step = { mcSeqno, blocks: blocks.map(({ boc }) => boc) };
    await this.files.append(loaded.length > 0 ? { ...step, loaded } : step);
    local.take(made);
    this.late?.done(loaded, mcSeqno);
    this.clock.next(previous);
    this.recent.add(local.chain);
    this.pendingTraces.made(made);
    if (refused.length > 0) this.traffic?.forget();
    return {
      mcSeqno,
      blocks: sources,
      isBusy: local.isBusy || this.pace.rate > 0,
      refused: refused.length,
      unexecuted: blocks.flatMap(({ unexecuted }) => unexecuted),
      snapshotError: await this.snapshots.writeIfDue(mcSeqno, () => this.snapshot()),
    };
  }

  send(bytes: Uint8Array): SendOutcome {
    return this.followed(this.started().send(bytes, this.nextUtime()));
  }

  /** Sends coins from the faucet. */
  fund(to: AccountAddress, amount: bigint, comment: string): SendOutcome {
    const local = this.started();
    const { faucet } = this.wallets;
    const entry = local.account(faucet.address, true);
    const has = entry?.balance.grams ?? 0n;
    // The wallet would take the message, use its seqno up and send nothing.
    if (amount + FUND_FEES > has)
      return failure('refused', `the faucet has ${has} nanotons, less than asked for`);
    const seqno = walletSeqno(faucet, entry);
    const utime = this.nextUtime();
    const body = comment === '' ? {} : { body: commentBody(comment) };
    const message = walletMessage(faucet, [{ to, value: amount, bounce: false, ...body }], {
      seqno,
      validUntil: utime + VALID_SECONDS,
    });
    return this.followed(local.sendCell(message, faucet.address, utime));
  }

  /** Sets parts of an account's state with the next step. */
  setAccount(account: AccountAddress, parts: NewAccountParts): InterventionOutcome {
    return setAccount(this.started(), account, parts, this.nextUtime());
  }

  /** Sends a message (a MessageRelaxed as a BoC) as an account with the next step. */
  impersonate(sender: AccountAddress, message: Uint8Array): ImpersonationOutcome {
    const number = ++this.impersonations;
    return impersonate(this.started(), { sender, message, number }, this.nextUtime());
  }

  /**
   * For each account null if it must be fetched from the origin of the fork. Otherwise the masterchain block that loaded it in this
   * process; 0 for none.
   */
  loads(accounts: readonly AccountAddress[]): (number | null)[] {
    const { chain } = this.started();
    const { late } = this;
    if (!late) return accounts.map(() => 0);
    return accounts.map((account) => (late.isKnown(chain, account) ? late.loadedAt(account) : null));
  }

  /** Accounts that must be fetched before messages on their way are delivered. */
  missing(): AccountAddress[] {
    return this.late?.missing(this.started().chain) ?? [];
  }

  /** Takes fetched accounts: the next steps load them. @throws BocError, CellError */
  load(fetched: readonly FetchedAccount[]): void {
    this.late?.take(fetched, this.started().chain);
  }

  /** Traces of sent messages that readers do not know yet; they know the masterchain blocks up to `served`. */
  pending(served: number): PendingTracesView {
    const local = this.started();
    const { pendingTraces: traces, options } = this;
    const times = { utime: this.nextUtime(), secondsPerStep: options.secondsPerBlock ?? 0 };
    return traces.view(served, local.chain, () => local.foresee((hash) => traces.has(hash), times));
  }

  /** Lets time jump ahead at the next step. */
  warp(seconds: number): void {
    const utime = this.nextUtime() + seconds;
    if (utime > LAST_UTIME) throw new LocalnetError('time jump', `up to ${LAST_UTIME}`, `${utime}`);
    this.clock.warp(seconds);
  }

  /** Sets how many transactions per second are generated, from the next step on. */
  setTraffic(perSecond: number): void {
    this.pace.rate = perSecond;
  }

  /** Changes a configuration parameter with the next masterchain block, which is a key block. */
  changeConfig(param: number, boc: Uint8Array | null): void {
    this.started().changeConfig(param, boc && readCell(boc), this.nextUtime());
  }

  account(address: AccountAddress): AccountView {
    const { chain } = this.started();
    const entry = this.entry(address);
    const { block, utime } = chain.masterchain;
    const shardAccount = entry && shardAccountText(entry);
    return { shardAccount, config: chain.extra.config.text, mcSeqno: block.seqno, utime };
  }

  /** As `account`, as the ledger has it; null for no account. */
  entry(address: AccountAddress): AccountEntry | null {
    return this.started().account(address, false);
  }

  /** The chain after a masterchain block, the newest for null; null if that state is no longer, or not yet, known. */
  view(address: AccountAddress | null, mcSeqno: number | null): ChainView | null {
    const { chain } = this.started();
    const state = mcSeqno === null ? chain : this.recent.at(mcSeqno);
    if (!state || !address) return state && viewChain(state, address);
    // The origin had the account before its load, so the view has it too.
    const loadedAt = this.late?.loadedAt(address) ?? 0;
    if (loadedAt <= state.masterchain.block.seqno) return viewChain(state, address);
    const { shardAccount, libraries } = viewChain(this.recent.at(loadedAt) ?? chain, address);
    return { ...viewChain(state, null), shardAccount, libraries };
  }

  /** As `LocalnetControl.proveOldBlock`. */
  proveOldBlock(mcSeqno: number, earlier: number): Uint8Array | null {
    const chain = this.recent.at(mcSeqno);
    return chain && proveOldBlock(chain, earlier);
  }

  /** The states after a recent masterchain block as bags: masterchain, then shards. Empty if they are not kept. */
  states(mcSeqno: number): Uint8Array[] {
    const chain = this.recent.at(mcSeqno);
    return chain
      ? [chain.masterchain, ...chain.shards].map(({ state }) => writeBag(state, { index: false }))
      : [];
  }

  /** Public libraries of the newest state as BoCs; null for unpublished ones. */
  libraries(hashes: readonly Uint8Array[]): (Uint8Array | null)[] {
    const { chain } = this.started();
    return hashes.map((hash) => findLibrary(chain, hash));
  }

  /** The chain as the newest block left it. */
  chainState(): ChainState {
    return this.started().chain;
  }

  status(): EngineStatus {
    const { chain, pending, intervened } = this.started();
    return {
      mcSeqno: chain.masterchain.block.seqno,
      utime: chain.masterchain.utime,
      pending,
      traffic: this.pace.rate,
      intervened,
    };
  }

  async close(): Promise<void> {
    await this.files.closeJournal();
  }

  private started(): LocalChain {
    if (!this.local) throw new NotStartedError();
    return this.local;
  }

  private followed(outcome: SendOutcome): SendOutcome {
    if (outcome.ok) this.pendingTraces.begin(outcome.hash);
    return outcome;
  }

  private nextUtime(): number {
    return this.clock.peek(this.started().chain.masterchain.utime);
  }

  private snapshot(): Snapshot {
    return saveChain(this.started().chain, this.late?.names());
  }

  private addTraffic(local: LocalChain, utime: number): void {
    // Messages that find no room wait: no more than a block's worth. After a pause only as many as one block can hold.
    const room = Math.max(0, this.options.limit / 2 - local.pending);
    const wanted = this.pace.due(this.options.secondsPerBlock, room);
    if (this.pace.rate === 0 || !this.traffic) return;
    for (const message of this.traffic.messages(wanted, utime, (address) => this.entry(address)))
      local.submit(message);
  }
}
