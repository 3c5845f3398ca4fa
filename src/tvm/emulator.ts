import { TvmExecutor } from './executor.ts';
import { type GetMethodRequest, type GetMethodResult, getMethodParameters } from './get-method.ts';

/** Parameters that are the same for a whole block. */
export interface BlockContext {
  /** The dictionary of configuration parameters as a BoC in base64. */
  readonly config: string;
  readonly now: number;
  /** `rand_seed` of the block. */
  readonly randomSeed: Uint8Array;
  /** As `encodePrevBlocks` gives it; null for none. */
  readonly prevBlocks: string | null;
  /** `HashmapE 256 ^Cell` root of public libraries as a BoC in base64; null for none. */
  readonly libraries: string | null;
}

export interface TransactionRequest {
  /** ShardAccount as a BoC in base64. */
  readonly shardAccount: string;
  /** The message as a BoC in base64, or which of the two transactions without a message. */
  readonly input: { readonly message: string } | { readonly special: 'tick' | 'tock' };
  readonly lt: bigint;
  /** Take any signature for a good one: for estimates. Default false. */
  readonly ignoreSignature?: boolean;
}

export interface EmulatedTransaction {
  readonly accepted: true;
  /** A BoC. */
  readonly transaction: Uint8Array;
  /** The ShardAccount after it, as a BoC in base64: fit for the next request. */
  readonly shardAccount: string;
}

/** An external message that the account did not accept, or a request that the emulator could not read. */
export interface RefusedMessage {
  readonly accepted: false;
  readonly error: string;
  /** Exit code of the TVM; null where it did not run. */
  readonly exitCode: number | null;
  readonly vmLog: string;
}

/**
 * The emulator itself failed: it could not read a request, or it ended in a trap (`cause`: whatever was thrown, which
 * may be no Error). It has begun anew since, so that the next call finds it whole.
 */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
  readonly detail: string;

  constructor(detail: string, options?: ErrorOptions) {
    super(`TVM emulator: ${detail}`, options);
    this.detail = detail;
  }
}

interface GetMethodAnswer {
  readonly fail?: boolean;
  readonly message?: string;
  readonly output?: {
    readonly success: boolean;
    readonly error?: string;
    readonly stack: string;
    readonly gas_used: string;
    readonly vm_exit_code: number;
    readonly missing_library: string | null;
  };
}

interface Answer {
  readonly fail?: boolean;
  readonly message?: string;
  readonly output?: {
    readonly success: boolean;
    readonly transaction: string;
    readonly shard_account: string;
    readonly error: string;
    readonly vm_exit_code?: number;
    readonly vm_log?: string;
  };
}

/**
 * Real transactions by the node's own executor (TVM and all phases), compiled to WebAssembly in @ton/sandbox. It blocks
 * the thread that it runs on: about 1 ms a transaction.
 *
 * The low level is used, since the public one writes the list of blocks before each call (1.4 ms) and cannot forget:
 * a library or block list that was set once stays until another is set or a new emulator is made.
 */
export class Emulator {
  private readonly executor: TvmExecutor;
  private block: BlockContext | null = null;
  private pointer = 0;
  private sentPrevBlocks = false;

  private constructor(executor: TvmExecutor) {
    this.executor = executor;
  }

  /** Takes 160 to 250 ms and about 120 MB. `stackBytes`: as `TvmExecutor.load`. */
  static async create(stackBytes?: number): Promise<Emulator> {
    return new Emulator(await TvmExecutor.load(stackBytes));
  }

  /** Last entry; null before the first. */
  get entered(): BlockContext | null {
    return this.block;
  }

  /** Sets what following transactions see. @throws EmulatorError */
  enter(block: BlockContext): void {
    this.guarded(() => this.point(block));
  }

  /** @throws EmulatorError */
  transact(request: TransactionRequest): EmulatedTransaction | RefusedMessage {
    const { block } = this;
    if (block === null) throw new EmulatorError('no block was entered');
    // Begun anew since: the block is not known there.
    if (this.pointer === 0) this.enter(block);
    const { input, shardAccount } = request;
    const message = 'message' in input ? input.message : '';
    const parameters = JSON.stringify(this.parameters(block, request));
    const args = [this.pointer, block.libraries ?? 0, shardAccount, message, parameters];
    const output = this.guarded(() => {
      const answer = JSON.parse(this.executor.call('_emulate_with_emulator', args)) as Answer;
      if (answer.fail || !answer.output) throw new EmulatorError(answer.message ?? 'unknown failure');
      return answer.output;
    });
    if (output.success)
      return {
        accepted: true,
        transaction: Buffer.from(output.transaction, 'base64'),
        shardAccount: output.shard_account,
      };
    const { error, vm_exit_code: exitCode = null, vm_log: vmLog = '' } = output;
    return { accepted: false, error, exitCode, vmLog };
  }

  /** Runs a get method; no block need be entered. @throws EmulatorError */
  runGetMethod(request: GetMethodRequest): GetMethodResult {
    const parameters = JSON.stringify(getMethodParameters(request));
    const output = this.guarded(() => {
      const args = [parameters, request.stack, request.config];
      const answer = JSON.parse(this.executor.call('_run_get_method', args)) as GetMethodAnswer;
      if (answer.fail || !answer.output?.success)
        throw new EmulatorError(answer.message ?? answer.output?.error ?? 'unknown failure');
      return answer.output;
    });
    const { stack, gas_used: gasUsed, vm_exit_code: exitCode, missing_library: missingLibrary } = output;
    return { stack, gasUsed: BigInt(gasUsed), exitCode, missingLibrary };
  }

  private point(block: BlockContext): void {
    const before = this.block;
    const mustForget =
      (before?.libraries != null && block.libraries === null) ||
      (before?.prevBlocks != null && block.prevBlocks === null);
    this.block = block;
    // With another verbosity the executor makes a new emulator.
    if (mustForget) this.executor.getEmulator(block.config, 1);
    this.pointer = this.executor.getEmulator(block.config, 0);
    if (this.pointer === 0) throw new EmulatorError('the configuration cannot be read');
    this.sentPrevBlocks = false;
  }

  private parameters(block: BlockContext, request: TransactionRequest): Record<string, unknown> {
    const { input, lt, ignoreSignature = false } = request;
    const special = 'special' in input ? input.special : null;
    const prevBlocks = block.prevBlocks !== null && !this.sentPrevBlocks ? block.prevBlocks : undefined;
    this.sentPrevBlocks = true;
    return {
      utime: block.now,
      lt: lt.toString(),
      rand_seed: block.randomSeed.toHex(),
      ignore_chksig: ignoreSignature,
      debug_enabled: false,
      ...(special && { is_tick_tock: true, is_tock: special === 'tock' }),
      ...(prevBlocks && { prev_blocks_info: prevBlocks }),
    };
  }

  /** After any throw the executor is not to be trusted: a trap may be an Error, a number or nothing of the kind. */
  private guarded<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.pointer = 0;
      this.executor.renew();
      if (error instanceof EmulatorError) throw error;
      throw new EmulatorError(`ended in a trap: ${String(error)}`, { cause: error });
    }
  }
}
