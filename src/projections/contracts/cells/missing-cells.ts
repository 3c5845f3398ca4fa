import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { tableExists } from '../../../platform/clickhouse/table-exists.ts';

/** A version of `contracts` and the network whose fetched cells it may use. */
export interface CellStore {
  readonly client: StoreClient;
  readonly database: string;
  readonly network: string;
}

const QUERY = { route: 'contracts/missing-cells', ...RANGE_QUERY } as const;

/** The contract whose data contains the configuration. */
const CONFIG_ADDRESS = '55'.repeat(32);

/** Cells of which the index only knows the hash, and accounts with a state that lacks one. */
export interface MissingCells {
  /** Libraries among them. */
  readonly cells: number;
  readonly accounts: number;
  /** Codes that library cells of accounts refer to. */
  readonly libraries: number;
}

/** Whether the version knows of cells: those before version 2 of its code do not. */
export function knowsCells({ client, database }: CellStore): Promise<boolean> {
  return tableExists(client, database, 'absent_cells', { route: QUERY.route });
}

export async function countMissing(store: CellStore): Promise<MissingCells> {
  const { rows } = await store.client.queryRows<[string, string, string]>(
    `SELECT toString(uniqExact(hash)), toString(uniqExactIf((workchain, account), NOT is_library)),
       toString(uniqExactIf(hash, is_library)) FROM ${await missing(store)}`,
    QUERY,
  );
  const [cells = 0, accounts = 0, libraries = 0] = (rows[0] ?? []).map(Number);
  return { cells, accounts, libraries };
}

/** Hashes (lower-case hex) of missing cells above `after`, ascending, at most `limit`. */
export async function listMissing(store: CellStore, after: string, limit: number): Promise<string[]> {
  const { rows } = await store.client.queryRows<[string]>(
    `SELECT DISTINCT lower(hex(hash)) AS name FROM ${await missing(store)}
     WHERE hash > toFixedString(unhex({after:String}), 32) ORDER BY name LIMIT {limit:UInt32}`,
    { ...QUERY, params: { after, limit }, maxRows: limit },
  );
  return rows.map(([hash]) => hash);
}

/** Accounts with a state that lacks a cell, at most `limit`. The configuration contract is the first one. */
export async function listLackingAccounts(
  store: CellStore,
  limit: number,
): Promise<{ readonly workchain: number; readonly address: Uint8Array }[]> {
  const { rows } = await store.client.queryRows<[number, string]>(
    `SELECT DISTINCT workchain, lower(hex(account)) AS address FROM ${await missing(store)} WHERE NOT is_library
     ORDER BY address != '${CONFIG_ADDRESS}' OR workchain != -1, workchain, address LIMIT {limit:UInt32}`,
    { ...QUERY, params: { limit }, maxRows: limit },
  );
  return rows.map(([workchain, account]) => ({ workchain, address: Buffer.from(account, 'hex') }));
}

/** Missing cells (lower-case hex) of each account (`workchain:hex`) among some. */
export async function findMissingByAccount(
  store: CellStore,
  accounts: readonly { readonly workchain: number; readonly address: Uint8Array }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = accounts.map(
    ({ workchain, address }) => `(${workchain}, unhex('${Buffer.from(address).toString('hex')}'))`,
  );
  const among = `(workchain, account) IN (${names.join(', ')})`;
  const { rows } = await store.client.queryRows<[string, string[]]>(
    `SELECT concat(toString(workchain), ':', lower(hex(account))), groupUniqArray(lower(hex(hash)))
     FROM ${await missing(store, among)} WHERE NOT is_library GROUP BY workchain, account`,
    { ...QUERY, maxRows: accounts.length },
  );
  return new Map(rows);
}

/** Hashes (lower-case hex) of libraries that the index lacks, at most `limit`. */
export async function listLackingLibraries(store: CellStore, limit: number): Promise<string[]> {
  const { rows } = await store.client.queryRows<[string]>(
    `SELECT DISTINCT lower(hex(hash)) AS name FROM ${await missing(store)} WHERE is_library
     ORDER BY name LIMIT {limit:UInt32}`,
    { ...QUERY, params: { limit }, maxRows: limit },
  );
  return rows.map(([hash]) => hash);
}

/** Rows of absent cells and libraries that no state shows and that were not fetched. `among`: a condition for accounts. */
async function missing({ client, database, network }: CellStore, among = '1'): Promise<string> {
  const meta = metaDatabase(network);
  const absent = `SELECT hash, workchain, account, false AS is_library FROM ${database}.absent_cells WHERE ${among}`;
  const libraries = `SELECT library, toInt32(0), toFixedString('', 32), true FROM ${meta}.found_codes FINAL WHERE NOT is_found`;
  const hasFoundCodes = await tableExists(client, meta, 'found_codes', { route: QUERY.route });
  const named = hasFoundCodes ? `${absent} UNION ALL ${libraries}` : absent;
  const hash8 = 'reinterpretAsUInt64(reverse(substring(hash, 1, 8)))';
  return `(SELECT * FROM (${named})
    WHERE ${hash8} NOT IN (SELECT hash8 FROM ${database}.cell_places
        WHERE hash8 IN (SELECT ${hash8} FROM (${named})))
      AND hash NOT IN (SELECT hash FROM ${meta}.fetched_cells))`;
}
