import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { isJsonObject, JsonTextError, parseJson } from '../http/json-source.ts';
import type { TokenOverride } from '../metadata-port.ts';
import { Refreshed } from '../refreshed.ts';
import { readOverrides } from './override-records.ts';

/** An override counts after so long, in every process that answers. */
const POLL_INTERVAL_MS = 10_000;

/**
 * The overrides of a network in memory, read again every ten seconds; the previous ones stay while the store is away.
 */
export class OverrideList {
  readonly #overrides: Refreshed<ReadonlyMap<string, TokenOverride>>;

  constructor(client: StoreClient, network: string, log: { warn(facts: object, text: string): void }) {
    this.#overrides = new Refreshed<ReadonlyMap<string, TokenOverride>>(new Map(), {
      read: () => byAddress(client, network),
      everyMs: POLL_INTERVAL_MS,
      log,
      failure: 'overrides of tokens could not be read',
    });
  }

  /** Reads the overrides, and again until `close`. */
  start(): Promise<void> {
    return this.#overrides.start();
  }

  close(): void {
    this.#overrides.close();
  }

  /** By raw address. */
  find(address: string): TokenOverride | undefined {
    return this.#overrides.value.get(address);
  }
}

async function byAddress(client: StoreClient, network: string): Promise<ReadonlyMap<string, TokenOverride>> {
  const records = await readOverrides(client, network);
  return new Map(
    records.map(({ address, content, ...flags }) => [
      address,
      { ...flags, content: overrideAttributes(content, address) },
    ]),
  );
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
