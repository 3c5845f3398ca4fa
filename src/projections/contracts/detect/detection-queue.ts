import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { methodId } from '../../../ton/contracts/codes/method-id.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { unpackMethods } from '../pack-methods.ts';
import {
  type Candidate,
  type DetectionFamily,
  type DetectionStore,
  type EndedCandidate,
  type KindMethods,
  kindsOfMethods,
} from './detection.ts';

/** Kinds that accounts may be, by code hash (lower-case hex). */
export type UnknownCodes<K extends string> = ReadonlyMap<string, readonly K[]>;

/** Fields of a family that are read. */
type Family<K extends string = string> = Pick<DetectionFamily<K, never>, 'table' | 'methods' | 'children'>;

/** Steps whose newest states are looked at, both inclusive. */
export interface CandidateRange {
  readonly first: number;
  readonly last: number;
}

/** Position, workchain, account, lt, hashes of code and data, whether it is queued, whether it is a known child. */
type CandidateValues = readonly [number, number, string, string, string, string, unknown, unknown];

const route = 'contracts/detect';
const LONG_QUERY_LIMITS = { route, timeoutMs: 600_000, maxMemoryBytes: 0 } as const;
const MAX_CODES = 100_000;

/** Condition that codes have one of some methods; a row has the ids of four bytes each. */
function hasMethod(methods: KindMethods): string {
  const ids = new Set(Object.values(methods).flat().map(methodId));
  return `arrayExists(i -> reinterpretAsUInt32(substring(methods, i * 4 + 1, 4)) IN (${[...ids].join(', ')}), range(intDiv(length(methods), 4)))`;
}

/** Tables of the network's database with methods of codes that no state shows whole, or that do not begin with them. */
export const LOOKED_UP = ['found_codes', 'hidden_methods'] as const;

/**
 * Statement of codes that are not read from their cells and have one of some methods. `lookedUp`: tables of codes that were
 * looked up, with their database.
 */
export function unknownCodesSql(methods: KindMethods, database: string, lookedUp: readonly string[]): string {
  const of = (table: string) =>
    `SELECT code_hash, methods FROM ${table} WHERE NOT is_known AND ${hasMethod(methods)}`;
  const tables = [`${database}.codes`, ...lookedUp];
  return `SELECT DISTINCT code_hash, methods FROM (${tables.map(of).join(' UNION ALL ')})`;
}

const getLookedUpTables = (network: string) => LOOKED_UP.map((table) => `${metaDatabase(network)}.${table}`);

/** Codes that are queued for their get methods: never guessed from the shape of data. */
export async function readUnknownCodes<K extends string>(
  { client, contracts, network }: DetectionStore,
  methods: KindMethods<K>,
): Promise<UnknownCodes<K>> {
  const codes = unknownCodesSql(methods, contracts, getLookedUpTables(network));
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT lower(hex(code_hash)), hex(methods) FROM (${codes}) ORDER BY 1 LIMIT ${MAX_CODES}`,
    { ...LONG_QUERY_LIMITS, maxRows: MAX_CODES },
  );
  return new Map(
    rows.map(([hash, ids]) => [hash, kindsOfMethods(methods, unpackMethods(Buffer.from(ids, 'hex')))]),
  );
}

/** Accounts of a kind by their get methods: the newest positive outcomes. */
function foundSql(table: Family['table'], network: string, of = '1'): string {
  return `(SELECT account, workchain, kind, reason FROM ${metaDatabase(network)}.${table} WHERE ${of} ORDER BY lt DESC LIMIT 1 BY account, workchain, kind) WHERE reason = ''`;
}

/** Accounts under known codes whose parents' codes are unknown; null if the family has none. */
function knownChildrenSql({ table, children }: Family, network: string, contracts: string): string | null {
  if (!children) return null;
  const found = foundSql(table, network);
  return children.known(contracts, `SELECT account, workchain FROM ${found} AND kind = '${children.parent}'`);
}

/**
 * Accounts whose newest state was not examined, newest first. They are under queued codes, or are items and orders
 * under known codes whose parent was detected, or were of a kind before.
 */
export async function readCandidates(
  { client, network, states, contracts }: DetectionStore,
  family: Family,
  { first, last }: CandidateRange,
  limit: number,
): Promise<Candidate[]> {
  const { table, methods } = family;
  const within = `mc_seqno BETWEEN ${first} AND ${last}`;
  const codes = unknownCodesSql(methods, contracts, getLookedUpTables(network));
  const isQueued = `status = 'active' AND code_hash IN (SELECT code_hash FROM (${codes}))`;
  const children = knownChildrenSql(family, network, contracts);
  const isKnownChild = children ? `(account, workchain) IN (${children})` : '0';
  const { rows } = await client.queryRows<[...CandidateValues]>(
    `SELECT mc_seqno, workchain, hex(account), toString(lt), hex(code_hash), hex(data_hash), ${isQueued}, ${isKnownChild}
     FROM ${states}.accounts_latest
     WHERE ${within} AND (${isQueued} OR ${isKnownChild}
       OR (account, workchain) IN (SELECT account, workchain FROM ${foundSql(table, network)}))
       AND (account, workchain, lt) NOT IN (SELECT account, workchain, lt FROM ${metaDatabase(network)}.${table} WHERE ${within})
     ORDER BY accounts_latest.lt DESC LIMIT 1 BY account, workchain LIMIT ${limit}`,
    { ...LONG_QUERY_LIMITS, maxRows: limit },
  );
  return rows.map(([position, workchain, account, lt, code, data, queued, knownChild]) => ({
    position,
    account: { workchain, address: Buffer.from(account, 'hex') },
    lt: BigInt(lt),
    codeHash: Buffer.from(code, 'hex'),
    dataHash: Buffer.from(data, 'hex'),
    isQueued: Boolean(queued),
    isKnownChild: Boolean(knownChild),
  }));
}

/** Workchain, account, then lt, position and hashes of its last state, then lt and position of its end. */
type EndedValues = readonly [number, string, string, number, string, string, string, number];

/**
 * Accounts under queued codes that received transfers in some steps and ended without an outcome for their end, each
 * with its last state after a masterchain block.
 */
export async function readEnded(
  { client, network, states, contracts }: DetectionStore,
  { table, methods }: Family,
  { first, last }: CandidateRange,
  limit: number,
): Promise<EndedCandidate[]> {
  const codes = unknownCodesSql(methods, contracts, getLookedUpTables(network));
  const received = `SELECT account, workchain FROM ${contracts}.token_transfers WHERE mc_seqno BETWEEN ${first} AND ${last} AND NOT has_parent`;
  const checked = `SELECT account, workchain, lt FROM ${metaDatabase(network)}.${table} WHERE (account, workchain) IN (${received})`;
  const isOne = `(status = 'active' AND code_hash IN (SELECT code_hash FROM (${codes})))`;
  const { rows } = await client.queryRows<[...EndedValues]>(
    `SELECT workchain, hex(account), toString(maxIf(lt, is_one) AS newest), argMaxIf(mc_seqno, lt, is_one),
       hex(argMaxIf(code_hash, lt, is_one)), hex(argMaxIf(data_hash, lt, is_one)), toString(max(lt)), argMax(mc_seqno, lt)
     FROM (SELECT mc_seqno, workchain, account, lt, status, code_hash, data_hash, ${isOne} AS is_one FROM ${states}.account_states
       WHERE mc_seqno <= ${last} AND (account, workchain) IN (${received}))
     GROUP BY account, workchain
     HAVING countIf(is_one) > 0 AND argMax(status, lt) = 'nonexist' AND (account, workchain, max(lt)) NOT IN (${checked})
     ORDER BY newest DESC LIMIT ${limit}`,
    { ...LONG_QUERY_LIMITS, maxRows: limit },
  );
  return rows.map(([workchain, account, lt, position, code, data, endLt, endPosition]) => ({
    position,
    account: { workchain, address: Buffer.from(account, 'hex') },
    lt: BigInt(lt),
    codeHash: Buffer.from(code, 'hex'),
    dataHash: Buffer.from(data, 'hex'),
    end: { position: endPosition, lt: BigInt(endLt) },
  }));
}

/** Kinds that accounts were found to be; those that are none are absent. Keys: `workchain:hash`, lower case. */
export async function readDetectedKinds<K extends string>(
  { client, network }: DetectionStore,
  { table }: Family<K>,
  accounts: readonly AccountAddress[],
): Promise<ReadonlyMap<string, readonly K[]>> {
  if (accounts.length === 0) return new Map();
  const list = accounts.map(
    ({ workchain, address }) => `(unhex('${Buffer.from(address).toString('hex')}'),${workchain})`,
  );
  const { rows } = await client.queryRows<[string, K[]]>(
    `SELECT concat(toString(workchain), ':', lower(hex(account))), groupArray(toString(kind))
     FROM ${foundSql(table, network, `(account, workchain) IN (${list.join(',')})`)} GROUP BY account, workchain`,
    { ...LONG_QUERY_LIMITS, maxRows: accounts.length },
  );
  return new Map(rows);
}
