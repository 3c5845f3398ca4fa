import { LRUCache } from 'lru-cache';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import type { GetMethodRequest, GetMethodResult } from '../../tvm/get-method.ts';
import type { StackValue } from '../../tvm/stack/stack-value.ts';

/** A get method that was cut off, or whose result cannot be read: it never ends otherwise for this state. */
export class MethodFailedError extends DataError {}

/** Result of a get method with its stack read. */
type ReadResult = GetMethodResult & { readonly values: readonly StackValue[] };

/** Port of the detector: runs get methods, for callers `C`. */
export interface RunGetMethod<C> {
  run(request: GetMethodRequest, caller: C): Promise<ReadResult>;
  /** The reason if the contract itself made a run fail; null for other errors. */
  getOwnFailure(error: unknown): string | null;
}

/** Results in memory. */
const MAX_RESULTS = 20_000;
/** Larger stacks are not cached: the method runs again. */
const MAX_STACK_BYTES = 64 * 1024;

/**
 * Runs get methods once for each code, data, method and arguments, even if the method never ends. Uses the first run's
 * configuration and time.
 */
export class CachingRunner<C> {
  readonly #runner: RunGetMethod<C>;
  readonly #results = new LRUCache<string, { readonly result: ReadResult } | { readonly failure: string }>({
    max: MAX_RESULTS,
  });
  /** Runs so far: cached results cost none. */
  runs = 0;

  constructor(runner: RunGetMethod<C>) {
    this.#runner = runner;
  }

  /** @throws MethodFailedError, and whatever else the runner throws */
  async runGetMethod(request: GetMethodRequest, caller: C): Promise<ReadResult> {
    const key = toKey(request);
    const known = this.#results.get(key);
    if (known && 'failure' in known) throw new MethodFailedError(known.failure);
    if (known) return known.result;
    const result = await this.#run(key, request, caller);
    // Without its library it did not run: the library is read and the method runs again.
    if (result.missingLibrary === null && result.stack.length <= MAX_STACK_BYTES)
      this.#results.set(key, { result });
    return result;
  }

  async #run(key: string, request: GetMethodRequest, caller: C): Promise<ReadResult> {
    this.runs++;
    try {
      return await this.#runner.run(request, caller);
    } catch (error) {
      const failure = this.#runner.getOwnFailure(error);
      if (failure === null) throw error;
      this.#results.set(key, { failure });
      throw new MethodFailedError(failure);
    }
  }
}

function toKey({ code, data, methodId, stack }: GetMethodRequest): string {
  const args = Buffer.from(sha256(fromBase64(stack) ?? new Uint8Array(0)));
  return `${rootHash(code)}${rootHash(data)}${args.toString('latin1')}${methodId}`;
}

function rootHash(bag: string): string {
  const boc = parseBoc(fromBase64(bag) ?? new Uint8Array(0));
  return Buffer.from(new CellHashes(boc).hash(onlyRoot(boc))).toString('latin1');
}
