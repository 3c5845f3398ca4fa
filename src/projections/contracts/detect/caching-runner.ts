import { DataError } from '../../../platform/errors/error-kinds.ts';
import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellHashes } from '../../../ton/boc/cell-hashes.ts';
import { fromBase64, toBase64 } from '../../../ton/hash/base64.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';
import type { GetMethodRequest, GetMethodResult } from '../../../tvm/get-method.ts';
import { readStack } from '../../../tvm/stack/read-stack.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';
import type { MethodKey, MethodResults } from './method-results.ts';

/** A get method that was cut off, or whose result cannot be read: it never ends otherwise for this state. */
export class MethodFailedError extends DataError {}

/** Result of a get method with its stack read. */
type ReadResult = GetMethodResult & { readonly values: readonly StackValue[] };

/** Runs get methods, for callers `C`. */
export interface MethodRunner<C> {
  run(request: GetMethodRequest, caller: C): Promise<ReadResult>;
  /** The reason if the contract itself made a run fail; null for other errors. */
  getOwnFailure(error: unknown): string | null;
}

const FAILED = -1;

/**
 * Runs get methods for detection: once for each state and arguments, even if the method never ends. Uses the first
 * run's configuration and time.
 */
export class CachingRunner<C> {
  readonly #runner: MethodRunner<C>;
  readonly #results: MethodResults;
  /** Runs so far: cached ones cost none. */
  runs = 0;

  constructor(runner: MethodRunner<C>, results: MethodResults) {
    this.#runner = runner;
    this.#results = results;
  }

  /** @throws MethodFailedError, and whatever else the runner throws */
  async runGetMethod(request: GetMethodRequest, caller: C): Promise<ReadResult> {
    const key = getMethodKey(request);
    const known = await this.#results.find(key);
    if (known) {
      if (known.failure !== '') throw new MethodFailedError(known.failure);
      const { exitCode, gasUsed, stack } = known;
      return { exitCode, gasUsed, stack: toBase64(stack), values: readStack(stack), missingLibrary: null };
    }
    const result = await this.#run(key, request, caller);
    // Without its library it did not run: it is asked for and the method run again.
    if (result.missingLibrary === null) {
      const { exitCode, gasUsed } = result;
      const stack = fromBase64(result.stack) ?? new Uint8Array(0);
      await this.#results.add(key, { exitCode, gasUsed, stack, failure: '' });
    }
    return result;
  }

  async #run(key: MethodKey, request: GetMethodRequest, caller: C): Promise<ReadResult> {
    this.runs++;
    try {
      return await this.#runner.run(request, caller);
    } catch (error) {
      const failure = this.#runner.getOwnFailure(error);
      if (failure === null) throw error;
      await this.#results.add(key, { exitCode: FAILED, gasUsed: 0n, stack: new Uint8Array(0), failure });
      throw new MethodFailedError(failure);
    }
  }
}

function getMethodKey({ code, data, methodId: method, stack }: GetMethodRequest): MethodKey {
  return {
    codeHash: rootHash(code),
    dataHash: rootHash(data),
    method,
    argumentsHash: sha256(fromBase64(stack) ?? new Uint8Array(0)),
  };
}

function rootHash(bag: string): Uint8Array {
  const boc = parseBoc(fromBase64(bag) ?? new Uint8Array(0));
  return new CellHashes(boc).hash(onlyRoot(boc));
}
