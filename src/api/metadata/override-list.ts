import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { isJsonObject, JsonTextError, parseJson } from '../http/json-source.ts';
import type { TokenOverride } from '../metadata-port.ts';

const ROUTE = 'metadata/overrides';
/** Overrides beyond this are not read: the list stands in the memory of every server. */
const MOST = 100_000;
/** An override counts after so long, in every process that answers. */
const LOOK_MS = 10_000;

type Row = readonly [address: string, content: string, isNsfw: boolean, isScam: boolean];

/** The overrides of a network in memory, read anew every ten seconds; those of before stay while the store is away. */
export class OverrideList {
  readonly #client: StoreClient;
  readonly #network: string;
  readonly #log: { warn(facts: object, text: string): void };
  #overrides: ReadonlyMap<string, TokenOverride> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(client: StoreClient, network: string, log: { warn(facts: object, text: string): void }) {
    this.#client = client;
    this.#network = network;
    this.#log = log;
  }

  /** Reads the overrides, and again until `close`. */
  async start(): Promise<void> {
    await this.#look();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.start(), LOOK_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** By raw address. */
  find(address: string): TokenOverride | undefined {
    return this.#overrides.get(address);
  }

  async #look(): Promise<void> {
    try {
      this.#overrides = await this.#read();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ error }, 'overrides of tokens could not be read');
      this.#isFailing = true;
    }
  }

  async #read(): Promise<ReadonlyMap<string, TokenOverride>> {
    const { rows } = await this.#client.queryRows<[...Row]>(
      `SELECT address, argMax(content, at), argMax(is_nsfw, at), argMax(is_scam, at)
       FROM ${metaDatabase(this.#network)}.token_overrides GROUP BY address
       HAVING NOT argMax(is_removed, at) ORDER BY address LIMIT {most:UInt32}`,
      { route: ROUTE, params: { most: MOST }, settings: { max_threads: 1 } },
    );
    return new Map(
      rows.map(([address, content, isNsfw, isScam]) => [
        address,
        { content: attributes(content, address), isNsfw, isScam },
      ]),
    );
  }
}

/** @throws Error: the operator's text is no JSON object */
function attributes(content: string, address: string): TokenOverride['content'] {
  if (content === '') return {};
  try {
    const value = parseJson(content);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
  }
  throw new Error(`token_overrides: the content of ${address} is no JSON object`);
}
