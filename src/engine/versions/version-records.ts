import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';

/**
 * `building`: not whole, or never pointed at. `ready`: whole. `dropped`: its database is gone, and its number is not given
 * again.
 */
export type VersionState = 'building' | 'ready' | 'dropped';

/** What is known of one version of a projection. */
export interface VersionRecord {
  readonly version: number;
  /** Version of the decoder that built it. */
  readonly codeVersion: number;
  readonly state: VersionState;
  /** What a build must know again after it was cut off; JSON. */
  readonly detail: Readonly<Record<string, unknown>>;
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
  return rows.map(([version, codeVersion, state, detail]) => ({
    version,
    codeVersion,
    // Written by earlier releases in the moment before a version was pointed at.
    state: state === 'switching' ? 'building' : state,
    detail: JSON.parse(detail) as Record<string, unknown>,
  }));
}

/** Adds a record: from now on it is what is known of the version. */
export async function recordVersion(
  client: StoreClient,
  { network, projection }: { readonly network: string; readonly projection: string },
  { version, codeVersion, state, detail }: VersionRecord,
): Promise<void> {
  const table = `${metaDatabase(network)}.projection_versions`;
  await client.command(
    `INSERT INTO ${table} (projection, version, code_version, state, detail, revision)
     SELECT {projection:String}, {version:UInt32}, {code:UInt32}, {state:String}, {detail:String}, max(revision) + 1
     FROM ${table} WHERE projection = {projection:String}`,
    { route, params: { projection, version, code: codeVersion, state, detail: JSON.stringify(detail) } },
  );
}

/** Every version that was ever pointed at, in the order of time; one that was pointed at again stands there again. */
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
