import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { isJsonObject, JsonTextError, parseJson } from '../http/json-source.ts';
import type { TokenOverride } from '../metadata-port.ts';
import { readOverrides } from './override-records.ts';

/** An override counts after so long, in every process that answers. */
const LOOK_MS = 10_000;

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
    const records = await readOverrides(this.#client, this.#network);
    return new Map(
      records.map(({ address, content, ...flags }) => [
        address,
        { ...flags, content: overrideAttributes(content, address) },
      ]),
    );
  }
}

/** The attributes of an override's content. @throws Error: the operator's text is no JSON object */
export function overrideAttributes(content: string, address: string): TokenOverride['content'] {
  if (content === '') return {};
  try {
    const value = parseJson(content);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
  }
  throw new Error(`token_overrides: the content of ${address} is no JSON object`);
}
