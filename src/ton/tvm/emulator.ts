import { Executor } from '@ton/sandbox';
import { type GetMethodRequest, type GetMethodResult, getMethodParameters } from './get-method.ts';

/** What does not change within a block. */
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
  /** Of the TVM; null where it did not run. */
  readonly exitCode: number | null;
  readonly vmLog: string;
}

/** The emulator itself failed: throw it away. */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
  readonly detail: string;

  constructor(detail: string) {
    super(`TVM emulator: ${detail}`);
    this.detail = detail;
  }
}

/** What of the executor is not public in its types. */
interface LowLevel {
  getEmulatorPointer(config: string, verbosity: number): number;
  invoke(method: string, args: (number | string)[]): number;
  extractString(pointer: number): string;
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
 * a library or block list that was set once stays until another is set or the emulator is made anew.
 */
export class Emulator {
  private readonly executor: LowLevel;
  private block: BlockContext | null = null;
  private pointer = 0;
  private sentPrevBlocks = false;

  private constructor(executor: Executor) {
    this.executor = executor as unknown as LowLevel;
  }

  /** Takes 160 to 250 ms and about 120 MB. */
  static async create(): Promise<Emulator> {
    return new Emulator(await Executor.create());
  }

  /** Sets what following transactions see. */
  enter(block: BlockContext): void {
    const mustForget =
      (this.block?.libraries != null && block.libraries === null) ||
      (this.block?.prevBlocks != null && block.prevBlocks === null);
    // With another verbosity the executor makes a new emulator.
    if (mustForget) this.executor.getEmulatorPointer(block.config, 1);
    this.pointer = this.executor.getEmulatorPointer(block.config, 0);
    this.block = block;
    this.sentPrevBlocks = false;
  }

  /** @throws EmulatorError */
  transact(request: TransactionRequest): EmulatedTransaction | RefusedMessage {
    const { block } = this;
    if (block === null) throw new EmulatorError('no block was entered');
    const { input, shardAccount } = request;
    const message = 'message' in input ? input.message : '';
    const parameters = JSON.stringify(this.parameters(block, request));
    const answer = this.call(block.libraries, shardAccount, message, parameters);
    if (answer.fail || !answer.output) throw new EmulatorError(answer.message ?? 'unknown failure');
    const { output } = answer;
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
    const pointer = this.executor.invoke('_run_get_method', [parameters, request.stack, request.config]);
    const answer = JSON.parse(this.executor.extractString(pointer)) as GetMethodAnswer;
    const { output } = answer;
    if (answer.fail || !output?.success)
      throw new EmulatorError(answer.message ?? output?.error ?? 'unknown failure');
    const { stack, gas_used: gasUsed, vm_exit_code: exitCode, missing_library: missingLibrary } = output;
    return { stack, gasUsed: BigInt(gasUsed), exitCode, missingLibrary };
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

  private call(libraries: string | null, account: string, message: string, parameters: string): Answer {
    const args = [this.pointer, libraries ?? 0, account, message, parameters];
    const answer = this.executor.invoke('_emulate_with_emulator', args);
    return JSON.parse(this.executor.extractString(answer)) as Answer;
  }
}
