import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { VersionSchema } from './version-schema.ts';

/**
 * `building`: not whole, or never pointed at. `ready`: whole. `dropped`: its database is gone, and its number is not given
 * again.
 */
export type VersionState = 'building' | 'ready' | 'dropped';

/** Facts of one version of a projection. */
export interface VersionRecord {
  readonly version: number;
  /** Version of the decoder that built it. */
  readonly codeVersion: number;
  readonly state: VersionState;
  /** Plan of a build, kept for its resumption; JSON. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** Null until its tables are made, and of a version of a release before schemas were written down. */
  readonly schema: VersionSchema | null;
}

const route = 'versions';

/** The newest record of every version that has one, ascending. */
export async function readVersionRecords(
  client: StoreClient,
  network: string,
  projection: string,
): Promise<readonly VersionRecord[]> {
  const { rows } = await client.queryRows<[number, number, VersionState | 'switching', string]>(
    `SELECT version, argMax(code_version, revision), argMax(state, revision), argMax(detail, revision)
     FROM ${metaDatabase(network)}.projection_versions WHERE projection = {projection:String}
     GROUP BY version ORDER BY version`,
    { route, params: { projection } },
  );
  return rows.map(([version, codeVersion, state, text]) => {
    // Both are in one column: earlier releases pass it on unchanged.
    const { schema = null, ...detail } = JSON.parse(text) as Record<string, unknown> & {
      readonly schema?: VersionSchema;
    };
    // `switching` was written by earlier releases in the moment before a version was pointed at.
    return { version, codeVersion, state: state === 'switching' ? 'building' : state, detail, schema };
  });
}

/** Adds a record: from now on it is what is known of the version. */
export async function recordVersion(
  client: StoreClient,
  { network, projection }: { readonly network: string; readonly projection: string },
  { version, codeVersion, state, detail, schema }: VersionRecord,
): Promise<void> {
  const text = JSON.stringify({ ...detail, ...(schema && { schema }) });
  const table = `${metaDatabase(network)}.projection_versions`;
  await client.command(
    `INSERT INTO ${table} (projection, version, code_version, state, detail, revision)
     SELECT {projection:String}, {version:UInt32}, {code:UInt32}, {state:String}, {detail:String}, max(revision) + 1
     FROM ${table} WHERE projection = {projection:String}`,
    { route, params: { projection, version, code: codeVersion, state, detail: text } },
  );
}

/** Every version that the pointer ever had, in time order, with repetitions. */
export async function pointerHistory(
  client: StoreClient,
  network: string,
  projection: string,
): Promise<readonly number[]> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT version FROM ${metaDatabase(network)}.projection_pointer WHERE projection = {projection:String}
     ORDER BY revision, changed_at`,
    { route, params: { projection } },
  );
  return rows.map(([version]) => version);
}
