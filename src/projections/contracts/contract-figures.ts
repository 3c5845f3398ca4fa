import type { ServedStore } from '../../engine/projection/projection.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { interfaceOfCode, interfacesOfMethods } from '../../ton/contracts/codes/interfaces.ts';
import { unpackMethods } from '../../ton/contracts/codes/pack-methods.ts';
import { countMissing, knowsCells } from './cells/missing-cells.ts';

const route = 'status/contracts';

/**
 * Figures of a version for `status`: incomplete states, missing cells and libraries, data that is too large or invalid,
 * and codes without a name.
 */
export async function contractFigures(store: ServedStore): Promise<Readonly<Record<string, number>>> {
  if (!(await knowsCells(store))) return {};
  const { cells, accounts, libraries } = await countMissing(store);
  const present = await readTables(store);
  return {
    'partial states': accounts,
    'missing cells': cells,
    'missing libraries': libraries,
    'too large data': await lostStates(store, "missing = 'size'", ['contract_states']),
    ...(await unreadable(store)),
    'nameless codes': await namelessCodes(store, present),
  };
}

/** Accounts under known codes whose newest state is not valid; earlier versions do not distinguish them. */
async function unreadable(store: ServedStore): Promise<Record<string, number>> {
  const { rows } = await store.client.queryRows(
    "SELECT 1 FROM system.columns WHERE database = {database:String} AND table = 'gaps' AND name = 'is_unread'",
    { route, params: { database: store.database } },
  );
  if (rows.length === 0) return {};
  return { 'unreadable data': await lostStates(store, 'is_unread', ['contract_states', 'token_states']) };
}

/** Accounts with a gap that match a condition and have no later state in some tables. */
async function lostStates(
  { client, database }: ServedStore,
  why: "missing = 'size'" | 'is_unread',
  tables: readonly string[],
): Promise<number> {
  const gaps = `SELECT account, workchain, max(lt) AS lost FROM ${database}.gaps WHERE ${why} GROUP BY account, workchain`;
  const states = tables
    .map(
      (table) =>
        `SELECT account, workchain, lt FROM ${database}.${table} WHERE NOT is_gone AND (account, workchain) IN (SELECT account, workchain FROM (${gaps}))`,
    )
    .join(' UNION ALL ');
  const newest = `SELECT account, workchain, max(lt) AS newest FROM (${states}) GROUP BY account, workchain`;
  const { rows } = await client.queryRows<[string]>(
    `SELECT toString(count()) FROM (${gaps}) AS gaps LEFT JOIN (${newest}) AS kept USING (account, workchain) WHERE newest < lost`,
    { route, timeoutMs: 60_000 },
  );
  return Number(rows[0]?.[0] ?? 0);
}

/** Tables of the network that there are: a store of an older release has not all of them until it is migrated. */
async function readTables({ client, network }: ServedStore): Promise<ReadonlySet<string>> {
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.tables WHERE database = {database:String}',
    { route, params: { database: metaDatabase(network) } },
  );
  return new Set(rows.map(([name]) => name));
}

/** Codes without a name: neither hash nor methods identify them. Their accounts are not guessed. */
async function namelessCodes(
  { client, database, network }: ServedStore,
  present: ReadonlySet<string>,
): Promise<number> {
  const tables = [`${database}.codes`, ...(present.has('found_codes') ? [foundCodes(network)] : [])];
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT base64Encode(code_hash) AS code, hex(any(methods)) FROM (${tables
      .map((table) => `SELECT code_hash, methods FROM ${table} WHERE NOT is_known`)
      .join(' UNION ALL ')}) GROUP BY code_hash`,
    { route, timeoutMs: 60_000 },
  );
  const getNames = (methods: string) => interfacesOfMethods(unpackMethods(Buffer.from(methods, 'hex')));
  return rows.filter(([code, methods]) => interfaceOfCode(code) === null && getNames(methods).length === 0)
    .length;
}

const foundCodes = (network: string) => `(SELECT * FROM ${metaDatabase(network)}.found_codes WHERE is_found)`;
