import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';

/** A version of `contracts` and the network whose fetched cells it may use. */
export interface CellStore {
  readonly client: StoreClient;
  readonly database: string;
  readonly network: string;
}

const LONG = { route: 'contracts/missing-cells', timeoutMs: 600_000, maxMemoryBytes: 0 } as const;

/** Cells of which the index only knows the hash, and accounts with a state that lacks one. */
export interface MissingCells {
  readonly cells: number;
  readonly accounts: number;
}

/** Whether the version knows of cells: those before version 2 of its code do not. */
export async function knowsCells({ client, database }: CellStore): Promise<boolean> {
  const { rows } = await client.queryRows<[string]>(
    "SELECT 1 FROM system.tables WHERE database = {database:String} AND name = 'absent_cells'",
    { route: LONG.route, params: { database } },
  );
  return rows.length > 0;
}

export async function countMissing(store: CellStore): Promise<MissingCells> {
  const { rows } = await store.client.queryRows<[string, string]>(
    `SELECT toString(uniqExact(hash)), toString(uniqExact(workchain, account)) FROM ${missing(store)}`,
    LONG,
  );
  const [cells = 0, accounts = 0] = (rows[0] ?? []).map(Number);
  return { cells, accounts };
}

/** Hashes (lower-case hex) of missing cells above `after`, ascending, at most `limit`. */
export async function listMissing(store: CellStore, after: string, limit: number): Promise<string[]> {
  const { rows } = await store.client.queryRows<[string]>(
    `SELECT DISTINCT lower(hex(hash)) AS name FROM ${missing(store)}
     WHERE hash > toFixedString(unhex({after:String}), 32) ORDER BY name LIMIT {limit:UInt32}`,
    { ...LONG, params: { after, limit }, maxRows: limit },
  );
  return rows.map(([hash]) => hash);
}

/** Rows of absent cells that no state shows and nobody fetched. */
function missing({ database, network }: CellStore): string {
  const hash8 = 'reinterpretAsUInt64(reverse(substring(hash, 1, 8)))';
  return `(SELECT hash, workchain, account FROM ${database}.absent_cells
    WHERE ${hash8} NOT IN (SELECT hash8 FROM ${database}.cell_places
        WHERE hash8 IN (SELECT ${hash8} FROM ${database}.absent_cells))
      AND hash NOT IN (SELECT hash FROM ${metaDatabase(network)}.fetched_cells))`;
}
