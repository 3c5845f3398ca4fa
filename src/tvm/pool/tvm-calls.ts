import type { WasmModule } from '../../ton/kernel/web-assembly.ts';
import type { BlockContext, EmulatedTransaction, RefusedMessage, TransactionRequest } from '../emulator.ts';
import type { GetMethodRequest, GetMethodResult } from '../get-method.ts';
import type { StackValue } from '../stack/stack-value.ts';

/** A transaction tried on a copy of its account: nothing remembers it. */
export interface Trial {
  /** The account in raw form: the calls of one client take turns by it. */
  readonly address: string;
  readonly block: BlockContext;
  readonly request: TransactionRequest;
}

/** Caller that waits for a call. */
export interface TvmCaller {
  /** Aborted when no caller waits any more, or the time is up: the call ends, and rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Clients take turns. */
  readonly client: string;
  /** Stops the time until `signal` is aborted, until the result is called. */
  stopTime?(): () => void;
}

export type TvmCall =
  | { readonly kind: 'get'; readonly request: GetMethodRequest }
  | { readonly kind: 'trial'; readonly trial: Trial };

/** Result of a get method with its stack read. */
export interface MethodResult extends GetMethodResult {
  readonly values: readonly StackValue[];
}

export type TvmResult = MethodResult | EmulatedTransaction | RefusedMessage;

/** Why a call failed in its thread: in the emulator, or its result is larger than anyone is given. */
export interface TvmFailure {
  readonly reason: 'emulator' | 'result';
  readonly message: string;
}

export interface TvmAnswer {
  readonly result?: TvmResult;
  readonly failure?: TvmFailure;
}

/** Start parameters of a thread. */
export interface TvmThreadStart {
  /** The executor's module, if one was compiled before. */
  readonly module: WasmModule | null;
  /** Calls that it runs before it is ready, so that the first real call finds everything loaded. */
  readonly warmUp: readonly TvmCall[];
}

/** Its first message, when it accepts calls. */
export interface TvmThreadReady {
  readonly module: WasmModule;
}
