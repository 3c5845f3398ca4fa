import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../platform/clickhouse/client.ts';
import { allLookUps, type TableLookUp } from '../tables/look-ups/look-ups.ts';
import type { Target } from '../tables/target.ts';
import { type FollowedTables, fillSql } from './fill-statement.ts';
import type { IndexFile } from './sqlite-index.ts';

const route = 'lookup/fill';
/** Bytes that one look-up of a chunk may have. */
const MAX_CHUNK_BYTES = 32 * 1024 ** 2;

/** A version of a projection that is followed. */
export interface FollowedVersion {
  readonly client: StoreClient;
  readonly database: string;
  readonly tables: FollowedTables;
  /** Its tables as this release has them. */
  readonly targets: readonly Target[];
  readonly path: string;
  /** Identity of the log. */
  readonly chain: string;
  /** Ends statements under way. */
  readonly signal: AbortSignal;
}

/** Steps whose rows are read, and which piece of their keys. */
interface FillPart {
  readonly steps: PositionRange;
  readonly pieces: number;
  readonly piece: number;
}

/** Reads rows of a look-up from the store, as `readFillRows` takes them. @throws StoreError, also if they are too large */
export function readFill(
  { client, database: db, tables, signal }: Omit<FollowedVersion, 'path' | 'chain' | 'targets'>,
  lookUp: TableLookUp,
  { steps: { first, last }, pieces, piece }: FillPart,
): Promise<Buffer> {
  return client.queryBytes(fillSql(lookUp, tables), {
    route,
    params: { db, first, last, pieces, piece },
    timeoutMs: 600_000,
    signal,
    maxResultBytes: MAX_CHUNK_BYTES,
    settings: { max_threads: 1 },
  });
}

/** The file of a version as this release makes it. */
export async function describeFile(version: FollowedVersion): Promise<IndexFile> {
  const { chain, database, tables, targets, path } = version;
  const lookUps = allLookUps(targets, tables);
  const statements = lookUps.map((one) => fillSql(one, tables));
  const source = JSON.stringify([chain, database, await readIdentity(version), statements]);
  return { path, lookUps: lookUps.map(({ lookUp }) => lookUp.name), source };
}

/** Names the database itself: a new one of the same name has another. */
async function readIdentity({ client, database }: FollowedVersion): Promise<string> {
  const { rows } = await client.queryRows<[string]>(
    "SELECT toString(uuid) FROM system.tables WHERE database = {db:String} AND name = 'confirmed'",
    { route, params: { db: database } },
  );
  return rows[0]?.[0] ?? '';
}
