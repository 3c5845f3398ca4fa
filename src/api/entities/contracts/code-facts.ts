import { LRUCache } from 'lru-cache';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { perOwner } from '../../../platform/memory/on-first-use.ts';
import { interfaceOfCode, interfacesOfMethods } from '../../../ton/contracts/codes/interfaces.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { parts, toHashSet } from '../../query/keys.ts';
import { metaTable } from '../../query/meta-tables.ts';
import type { ReadScope } from '../../query/scope.ts';
import { identifier, type Sql, sql, unsafeSql } from '../../query/sql.ts';
import type { ProjectionName } from '../../version-vector.ts';
import { ZERO_HASH } from '../accounts/none-account.ts';

/** Methods and interfaces of a code (v3-models.md 13). */
export interface CodeFacts {
  /** Ids of its methods, for a library cell its target's; null if the index has neither completely. */
  readonly methods: readonly number[] | null;
  /** Names of its contract kinds; null if they depend on unknown methods. */
  readonly interfaces: readonly string[] | null;
}

/** Facts of codes by hash (base64). */
export type CodesByHash = ReadonlyMap<string, CodeFacts>;

export const NO_CODES: CodesByHash = new Map();

/** Methods that a store has, by code hash (base64): a code's methods never change. */
const getKnown = perOwner<StoreClient, LRUCache<string, readonly number[]>>(
  () => new LRUCache({ max: 100_000 }),
);
/** Codes that a database did not have a moment ago: pages that show them are read again and again. */
const getAbsent = perOwner<StoreClient, LRUCache<string, true>>(
  () => new LRUCache({ max: 100_000, ttl: 5_000 }),
);

type Scope = Pick<ReadScope<never>, 'added' | 'query' | 'context'> & {
  readonly databases: Readonly<Partial<Record<ProjectionName, string>>>;
};

/** Names of a code's kinds only by its hash (base64); null if its methods decide. */
export function interfacesByHash(code: string): readonly string[] | null {
  if (code === ZERO_HASH) return [];
  const name = interfaceOfCode(code);
  return name === null ? null : [name];
}

/**
 * Facts of codes by hash (base64), if the projection `contracts` is available and has them: others are absent. One
 * statement for values outside the cache.
 */
export async function readCodeFacts(scope: Scope, codes: Iterable<string>): Promise<CodesByHash> {
  const wanted = [...new Set(codes)].filter((code) => code !== ZERO_HASH);
  const database = scope.databases.contracts ?? scope.added.contracts?.database;
  if (database !== undefined) await learn(scope, database, wanted);
  const known = getKnown(scope.context.client);
  return new Map(
    wanted.map((code) => {
      const methods = known.get(code) ?? null;
      const interfaces = interfacesByHash(code) ?? (methods && interfacesOfMethods(methods));
      return [code, { methods, interfaces }];
    }),
  );
}

/** Reads the methods of those codes that are not in memory. */
async function learn({ query, context }: Scope, database: string, codes: readonly string[]): Promise<void> {
  const [known, absent] = [getKnown(context.client), getAbsent(context.client)];
  const unknown = codes.filter((code) => !known.has(code) && !absent.has(`${database} ${code}`));
  if (unknown.length === 0) return;
  const found = metaTable(context, 'found_codes');
  for (const some of parts(unknown)) {
    const hashes = toHashSet(some.map((code) => Buffer.from(code, 'base64').toString('hex')));
    const read = (table: Sql) =>
      sql`SELECT base64Encode(code_hash), base64Encode(methods) FROM ${table} WHERE code_hash IN ${hashes} LIMIT 1 BY code_hash`;
    const own = read(identifier(database, 'codes'));
    const rows = await query(
      found ? sql`${own} UNION ALL ${read(unsafeSql(`(SELECT * FROM ${found} WHERE is_found)`))}` : own,
    );
    for (const [code, methods] of rows) known.set(String(code), parseIds(String(methods)));
  }
  for (const code of unknown) if (!known.has(code)) absent.set(`${database} ${code}`, true);
}

function parseIds(base64: string): number[] {
  const bytes = Buffer.from(fromBase64(base64) ?? []);
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4));
}
