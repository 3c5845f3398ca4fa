import { LRUCache } from 'lru-cache';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../../platform/clickhouse/native-format.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';

/** A get method of a state with its arguments; hashes 32 bytes. */
export interface MethodKey {
  readonly codeHash: Uint8Array;
  readonly dataHash: Uint8Array;
  readonly method: number;
  /** SHA-256 of the stack that it got. */
  readonly argumentsHash: Uint8Array;
}

/** Result of a get method, or why it gave none. */
export interface CachedResult {
  readonly exitCode: number;
  readonly gasUsed: bigint;
  /** Reason of an abort; empty if it ended. */
  readonly failure: string;
  /** BoC of the `VmStack`; empty for a failure. */
  readonly stack: Uint8Array;
}

/** Columns of `method_results` of the network's database. */
const RESULTS = {
  code_hash: 'FixedString(32)',
  data_hash: 'FixedString(32)',
  method: 'UInt32',
  arguments: 'FixedString(32)',
  exit_code: 'Int32',
  gas_used: 'UInt64',
  failure: 'String',
  stack: 'String',
} as const;

/** Larger stacks are not worth their place: the method is run again. */
const MAX_STACK_BYTES = 64 * 1024;
const MAX_IN_MEMORY = 20_000;
const MAX_WAITING = 1_000;

/** Results of get methods by code, data, method and arguments: in memory, then in the store. */
export class MethodResults {
  readonly #client: StoreClient;
  readonly #table: string;
  readonly #memory = new LRUCache<string, CachedResult>({ max: MAX_IN_MEMORY });
  readonly #waiting = new TableBuilder('method_results', RESULTS);

  constructor(client: StoreClient, network: string) {
    this.#client = client;
    this.#table = `${metaDatabase(network)}.method_results`;
  }

  async find(key: MethodKey): Promise<CachedResult | null> {
    const name = toName(key);
    const known = this.#memory.get(name);
    if (known) return known;
    const found = await this.#load(key);
    if (found) this.#memory.set(name, found);
    return found;
  }

  async add(key: MethodKey, result: CachedResult): Promise<void> {
    if (result.stack.length > MAX_STACK_BYTES) return;
    this.#memory.set(toName(key), result);
    const { col } = this.#waiting;
    col.code_hash.push(key.codeHash);
    col.data_hash.push(key.dataHash);
    col.method.push(key.method);
    col.arguments.push(key.argumentsHash);
    col.exit_code.push(result.exitCode);
    col.gas_used.push(result.gasUsed);
    col.failure.push(Buffer.from(result.failure));
    col.stack.push(result.stack);
    this.#waiting.endRow();
    if (this.#waiting.rows >= MAX_WAITING) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#waiting.rows === 0) return;
    const bytes = encodeNativeBlock(this.#waiting);
    await this.#client.insertNative(this.#table, bytes, { route: 'contracts/method-results' });
    this.#waiting.reset();
  }

  async #load({ codeHash, dataHash, method, argumentsHash }: MethodKey): Promise<CachedResult | null> {
    const { rows } = await this.#client.queryRows<[number, string, string, string]>(
      `SELECT exit_code, toString(gas_used), failure, base64Encode(stack) FROM ${this.#table}
       WHERE code_hash = unhex('${hex(codeHash)}') AND data_hash = unhex('${hex(dataHash)}')
         AND method = ${method} AND arguments = unhex('${hex(argumentsHash)}') ORDER BY at DESC LIMIT 1`,
      { route: 'contracts/method-results' },
    );
    const [row] = rows;
    if (!row) return null;
    const [exitCode, gasUsed, failure, stack] = row;
    return { exitCode, gasUsed: BigInt(gasUsed), failure, stack: Buffer.from(stack, 'base64') };
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function toName({ codeHash, dataHash, method, argumentsHash }: MethodKey): string {
  return Buffer.concat([codeHash, dataHash, argumentsHash]).toString('latin1') + method;
}
