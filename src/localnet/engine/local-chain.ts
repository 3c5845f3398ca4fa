import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { MAX_EXTERNAL_DEPTH } from '../../ton/messages/external-message.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { Emulator } from '../../tvm/emulator.ts';
import { applyIntervention, copyCells } from '../collate/apply-intervention.ts';
import type { IsKnown } from '../collate/block-draft.ts';
import { type ConfigChange, changedConfig } from '../collate/collate-masterchain.ts';
import { nextStartLt } from '../collate/collate-shard.ts';
import { type CollatedStep, collateStep, isSettledShards } from '../collate/collate-step.ts';
import type { ExternalMessage } from '../collate/external-message.ts';
import type { AccountLoad, Intervention } from '../collate/intervene/intervention.ts';
import { inOneGo, type Pieces } from '../collate/pieces.ts';
import { StepContext } from '../collate/step-context.ts';
import { TransactionRun } from '../collate/transaction-run.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { contains } from '../ledger/routing.ts';
import { type ShardLedger, shardText } from '../ledger/shard-ledger.ts';
import { LocalnetError } from '../localnet-error.ts';
import { foreseeSteps } from '../pending/foresee-steps.ts';
import { VALIDATOR_PARAMS } from '../validator/validator-rounds.ts';
import { checkConfig } from './check-config.ts';
import { failure, parseExternal, type SendFailure } from './parse-external.ts';

export type SendOutcome = { readonly ok: true; readonly hash: Uint8Array } | SendFailure;

/** `number`: how many interventions the chain will have done with this one. */
export type InterventionOutcome =
  | { readonly ok: true; readonly number: number }
  | { readonly ok: false; readonly detail: string };

export interface LocalChainOptions {
  readonly chain: ChainState;
  readonly emulator: Emulator;
  readonly seed: string;
  readonly targetShards: readonly bigint[];
  /** Transactions of a block. */
  readonly limit: number;
  /** As in `StepOrder`. Default false. */
  readonly isDirect?: boolean;
  /** As in `StepOrder`. Default false. */
  readonly everyShard?: boolean;
  /** As in `StepOrder`, of an account in a state of the chain. Default: all accounts are known. */
  readonly isKnown?: (chain: ChainState, account: AccountAddress) => boolean;
}

/**
 * The chain with what waits for its next step. A message that is sent is tried at once on the account as the messages
 * before it would leave it, so that a wallet may send several in a row.
 */
export class LocalChain {
  chain: ChainState;
  private readonly options: LocalChainOptions;
  private waiting = new Map<string, ExternalMessage>();
  private configChanges: ConfigChange[] = [];
  private interventions: Intervention[] = [];
  private done = 0;
  private previews = new Map<string, TransactionRun>();
  private context: StepContext | null = null;
  private readonly isKnown: IsKnown = () => true;

  constructor(options: LocalChainOptions) {
    this.options = options;
    this.chain = options.chain;
    const { isKnown } = options;
    if (isKnown) this.isKnown = (account) => isKnown(this.chain, account);
  }

  /** Messages that wait for a step. */
  get pending(): number {
    return this.waiting.size;
  }

  /** Interventions that steps have done. */
  get intervened(): number {
    return this.done;
  }

  /** Whether the next step has something to do. */
  get isBusy(): boolean {
    const { masterchain, shards } = this.chain;
    return (
      this.waiting.size > 0 ||
      this.configChanges.length > 0 ||
      this.interventions.length > 0 ||
      !isSettledShards(this.chain, this.options.targetShards) ||
      [masterchain, ...shards].some(({ queue }) => queue.size > 0)
    );
  }

  /** Takes a message for the next step, if its account accepts it. `utime` is what the next block may have. */
  send(bytes: Uint8Array, utime: number): SendOutcome {
    const parsed = parseExternal(bytes);
    return parsed.ok ? this.sendCell(parsed.cell, parsed.dest, utime) : parsed;
  }

  /** As `send`, for a message that is no bytes yet. */
  sendCell(cell: Cell, dest: AccountAddress, utime: number): SendOutcome {
    if (cell.depth() > MAX_EXTERNAL_DEPTH)
      return failure('size', `a depth of at most ${MAX_EXTERNAL_DEPTH}, found ${cell.depth()}`);
    const hash = cell.hash();
    if (this.waiting.has(toHex(hash))) return failure('known', toHex(hash));
    const refused = this.tryOut({ cell, dest }, utime);
    if (refused) return refused;
    this.submit({ cell, dest });
    return { ok: true, hash };
  }

  /** Takes a message untried. */
  submit(message: ExternalMessage): void {
    this.waiting.set(toHex(message.cell.hash()), message);
  }

  /** Changes a parameter with the next step. @throws LocalnetError no block could be made or signed after it */
  changeConfig(param: number, cell: Cell | null, utime: number): void {
    if (VALIDATOR_PARAMS.includes(param)) {
      const expected = 'none of 32 to 37: they name the validator that signs the blocks';
      throw new LocalnetError('configuration parameter', expected, `${param}`);
    }
    const changes = [...this.configChanges, { param, cell }];
    try {
      checkConfig(this.options.emulator, changedConfig(this.chain.extra.config, changes).text, utime);
    } catch (error) {
      throw new LocalnetError(
        `configuration parameter ${param}`,
        'one that blocks can be made with',
        `${error}`,
      );
    }
    this.configChanges = changes;
  }

  /**
   * Takes an intervention for the next step, if it can be done on the state that the step begins with. `utime` is what
   * the next block may have.
   */
  intervene(one: Intervention, utime: number): InterventionOutcome {
    const ledger = this.findLedger(one.account);
    const trial = new TransactionRun(this.options.emulator, ledger.accounts);
    const minLt = this.enter(ledger, utime);
    for (const earlier of this.interventions)
      if (this.findLedger(earlier.account) === ledger) applyIntervention(trial, earlier, minLt);
    const problem = applyIntervention(trial, one, minLt);
    if (problem !== null) return { ok: false, detail: problem };
    this.interventions.push(one);
    const preview = this.previews.get(shardText(ledger.ident));
    if (preview) applyIntervention(preview, one, minLt);
    return { ok: true, number: this.done + this.interventions.length };
  }

  /** Loads accounts of a fork with the next step. */
  load(loads: readonly AccountLoad[]): void {
    this.interventions.push(...loads);
  }

  /** Accounts that the next step loads from a fork. */
  get loading(): AccountAddress[] {
    return this.interventions.flatMap((one) => (one.kind === 'load' ? [one.account] : []));
  }

  /** The account as the last step left it, or as the messages that wait will leave it. */
  account(address: AccountAddress, withPending: boolean): AccountEntry | null {
    const ledger = this.findLedger(address);
    const preview = withPending ? this.previews.get(shardText(ledger.ident)) : undefined;
    return (preview?.accounts ?? ledger.accounts).get(address.address) ?? null;
  }

  /** Makes the next step and goes on with it. Messages that find no room stay. */
  step(utime: number): CollatedStep {
    const step = inOneGo(this.make(utime));
    this.take(step);
    return step;
  }

  /** Makes the next step. The chain does not change until the step is applied, and must not change while it is made. */
  make(utime: number): Pieces<CollatedStep> {
    const { emulator, seed, targetShards, limit, isDirect = false, everyShard = false } = this.options;
    return collateStep(this.chain, emulator, {
      seed,
      utime,
      limit,
      targetShards,
      externals: [...this.waiting.values()],
      // Copies: a step that is not taken leaves its cells settled (make-update.ts).
      configChanges: this.configChanges.map(({ param, cell }) => ({
        param,
        cell: cell && readCell(writeBag(cell)),
      })),
      interventions: this.interventions.map(copyCells),
      isDirect,
      everyShard,
      isKnown: this.isKnown,
    });
  }

  /** Applies a step that was made on the current chain. */
  take(step: CollatedStep): void {
    this.chain = step.chain;
    this.configChanges = [];
    if (step.hasIntervened) {
      this.done += this.interventions.length;
      this.interventions = [];
    }
    this.waiting = new Map(step.waiting.map((message) => [toHex(message.cell.hash()), message]));
    this.previews.clear();
    this.context = null;
  }

  /** The steps that would follow with some of the waiting messages. Changes nothing. */
  foresee(
    isWanted: (hash: Uint8Array) => boolean,
    times: { readonly utime: number; readonly secondsPerStep: number },
  ): Iterable<CollatedStep> {
    const { emulator, seed, targetShards } = this.options;
    const externals = [...this.waiting.values()].filter(({ cell }) => isWanted(cell.hash()));
    const { isKnown } = this;
    return foreseeSteps(this.chain, emulator, { seed, targetShards, externals, isKnown, ...times });
  }

  private tryOut({ cell, dest }: ExternalMessage, utime: number): SendFailure | null {
    const ledger = this.findLedger(dest);
    const minLt = this.enter(ledger, utime);
    const result = this.getPreview(ledger, minLt).external({ cell, dest }, minLt);
    return result.accepted ? null : failure('refused', result.error, result.exitCode);
  }

  /** Sets the emulator to the next block of a shard. @returns the lowest lt of its transactions */
  private enter(ledger: ShardLedger, utime: number): bigint {
    const { emulator, seed, limit } = this.options;
    if (this.context?.utime !== utime)
      this.context = new StepContext(this.chain, emulator, { seed, utime, limit });
    this.context.enter(ledger);
    return nextStartLt(ledger.endLt, this.chain.masterchain.endLt) + 1n;
  }

  private getPreview(ledger: ShardLedger, minLt: bigint): TransactionRun {
    const key = shardText(ledger.ident);
    let preview = this.previews.get(key);
    if (!preview) {
      preview = new TransactionRun(this.options.emulator, ledger.accounts);
      for (const one of this.interventions)
        if (this.findLedger(one.account) === ledger) applyIntervention(preview, one, minLt);
      this.previews.set(key, preview);
    }
    return preview;
  }

  private findLedger(address: AccountAddress): ShardLedger {
    const { masterchain, shards } = this.chain;
    return shards.find(({ ident }) => contains(ident, address)) ?? masterchain;
  }
}
