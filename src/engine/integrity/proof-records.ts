import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { ProofState } from './proof-state.ts';

const route = 'integrity/state';
/** A store that does not answer must not hold the end of a process. */
const WRITE_MS = 2_000;

/** How far proofs are, in the store of a network: a restart goes on there, and processes do not repeat each other's. */
export class ProofRecords {
  readonly #client: StoreClient;
  readonly #table: string;

  constructor(client: StoreClient, network: string) {
    this.#client = client;
    this.#table = `${metaDatabase(network)}.integrity_proofs`;
  }

  /** The newest state of each version's database. */
  async read(signal?: AbortSignal): Promise<ReadonlyMap<string, ProofState>> {
    const { rows } = await this.#client.queryRows<[string, string]>(
      `SELECT database, argMax(state, at) FROM ${this.#table} GROUP BY database`,
      { route, settings: { max_threads: 1 }, ...(signal && { signal }) },
    );
    return new Map(rows.map(([database, state]) => [database, JSON.parse(state) as ProofState]));
  }

  async write(database: string, state: ProofState): Promise<void> {
    await this.#client.command(
      `INSERT INTO ${this.#table} (database, state) SELECT {database:String}, {state:String}`,
      { route, timeoutMs: WRITE_MS, params: { database, state: JSON.stringify(state) } },
    );
  }
}
