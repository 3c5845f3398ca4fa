import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { type KindMethods, kindsOfMethods } from '../../ton/contracts/codes/kind-methods.ts';
import { methodId } from '../../ton/contracts/codes/method-id.ts';
import { unpackMethods } from '../../ton/contracts/codes/pack-methods.ts';
import type { DetectionStore } from './detection.ts';

/** Kinds that accounts may be, by code hash (lower-case hex). */
export type UnknownCodes<K extends string> = ReadonlyMap<string, readonly K[]>;

const QUERY = { route: 'detections/codes', ...RANGE_QUERY } as const;
const MAX_CODES = 100_000;

/** Tables of the network's database with methods of codes that no state shows completely, or that do not begin with them. */
const LOOKED_UP = ['found_codes', 'hidden_methods'] as const;

/** Condition that codes have one of some methods; a row has the ids of four bytes each. */
function hasMethod(methods: KindMethods): string {
  const ids = new Set(Object.values(methods).flat().map(methodId));
  return `arrayExists(i -> reinterpretAsUInt32(substring(methods, i * 4 + 1, 4)) IN (${[...ids].join(', ')}), range(intDiv(length(methods), 4)))`;
}

/** Statement for the codes that are not read from their cells and have one of some methods. `codes`: database that has them. */
export function unknownCodesSql(methods: KindMethods, codes: string, network: string): string {
  const of = (table: string) =>
    `SELECT code_hash, methods FROM ${table} WHERE NOT is_known AND ${hasMethod(methods)}`;
  const tables = [`${codes}.codes`, ...LOOKED_UP.map((table) => `${metaDatabase(network)}.${table}`)];
  return `SELECT DISTINCT code_hash, methods FROM (${tables.map(of).join(' UNION ALL ')})`;
}

/** Returns the codes that are queued for their get methods: never guessed from the shape of data. */
export async function readUnknownCodes<K extends string>(
  store: DetectionStore,
  methods: KindMethods<K>,
): Promise<UnknownCodes<K>> {
  const { rows } = await store.client.queryRows<[string, string]>(
    `SELECT lower(hex(code_hash)), hex(methods) FROM (${unknownCodesSql(methods, store.contracts, store.network)}) ORDER BY 1 LIMIT ${MAX_CODES}`,
    { ...QUERY, maxRows: MAX_CODES },
  );
  return new Map(
    rows.map(([hash, ids]) => [hash, kindsOfMethods(methods, unpackMethods(Buffer.from(ids, 'hex')))]),
  );
}
