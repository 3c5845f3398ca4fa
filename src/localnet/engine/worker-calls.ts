import type { Engine } from './engine.ts';

/** Calls of the main thread to the engine. */
export type EngineCalls = Pick<
  Engine,
  | 'resume'
  | 'step'
  | 'send'
  | 'fund'
  | 'warp'
  | 'setTraffic'
  | 'changeConfig'
  | 'setAccount'
  | 'impersonate'
  | 'account'
  | 'view'
  | 'libraries'
  | 'proveOldBlock'
  | 'states'
  | 'status'
  | 'pending'
  | 'loads'
  | 'missing'
  | 'load'
  | 'zerostates'
  | 'contracts'
  | 'forkSummary'
  | 'close'
>;
export type EngineCall = keyof EngineCalls;

export interface CallRequest {
  readonly id: number;
  readonly call: EngineCall;
  readonly args: readonly unknown[];
}

/** An error as it crosses from one thread to the other. */
export interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Code of the operating system, e.g. `ENOSPC`. */
  readonly code?: string | undefined;
}

export type CallResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ErrorFacts };

/** The id of the answer to the engine's start. */
export const OPENED = 0;
