import type { StoreClient } from '../client.ts';
import { tableExists } from '../table-exists.ts';
import { type ShardingKeys, tableStatements } from './cluster-tables.ts';
import { metaDatabase, secretsDatabase, versionDatabase } from './database-names.ts';
import { expandMacros, type MacroValues } from './macros.ts';
import { MigrationChangedError, MigrationError } from './migration-errors.ts';
import { type MigrationFile, readMigrationFiles } from './migration-files.ts';
import { moveSecrets } from './move-secrets.ts';
import { splitStatements } from './sql-statements.ts';

export interface MigrateOptions {
  /** Label of the network: the name of the meta database and the prefix of all others. */
  readonly network: string;
  readonly projection: string;
  readonly version: number;
  /** Folder with one folder a projection, and `meta`. */
  readonly directory: string;
  readonly epochSize: number;
  /** Sharding keys on a cluster (`client.cluster`); not needed on one server. */
  readonly shardingKeys?: ShardingKeys;
}

const META = 'meta';
const route = 'migrations';

/** Checksums of the files applied to a database; empty in a new store. */
async function readApplied(
  client: StoreClient,
  meta: string,
  database: string,
): Promise<Map<string, string>> {
  if (!(await tableExists(client, meta, 'migrations', { route }))) return new Map();
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT file, argMax(checksum, applied_at) FROM ${meta}.migrations WHERE database = {database:String} GROUP BY file`,
    { route, params: { database } },
  );
  return new Map(rows);
}

/**
 * Applied files that this release knows. Later files belong to a later release, which only adds to the network's
 * database: both releases can run.
 */
function withoutLater(
  files: readonly MigrationFile[],
  applied: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const last = files.at(-1)?.name ?? '';
  return new Map([...applied].filter(([name]) => name <= last));
}

/** Throws `MigrationChangedError` for an applied file that was edited or is missing. */
function pendingFiles(
  database: string,
  files: readonly MigrationFile[],
  applied: ReadonlyMap<string, string>,
) {
  const found = new Map(files.map((file) => [file.name, file.checksum]));
  for (const [name, checksum] of applied) {
    const now = found.get(name) ?? null;
    if (now !== checksum) throw new MigrationChangedError(name, database, checksum, now);
  }
  const pending = files.filter((file) => !applied.has(file.name));
  const last = files.findLast((file) => applied.has(file.name));
  const early = pending.find((file) => last && file.number < last.number);
  if (early)
    throw new MigrationError(early.name, `not applied to ${database}, where ${last?.name} already is`);
  return pending;
}

async function applyFile(
  client: StoreClient,
  file: MigrationFile,
  values: MacroValues,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    for (const statement of splitStatements(file.text)) {
      for (const one of tableStatements(statement, values, keys)) await client.command(one, { route });
    }
  } catch (error) {
    // Statements are idempotent (IF NOT EXISTS …): the next run starts the file again.
    throw new MigrationError(file.name, `failed on ${values.database}: ${error}`, error);
  }
  await client.command(
    `INSERT INTO ${values.meta}.migrations (database, file, checksum) VALUES ({database:String}, {file:String}, {checksum:String})`,
    { route, params: { database: values.database, file: file.name, checksum: file.checksum } },
  );
}

async function migrateDatabase(
  client: StoreClient,
  { directory, shardingKeys = {} }: Pick<MigrateOptions, 'directory' | 'shardingKeys'>,
  folder: string,
  values: MacroValues,
): Promise<string[]> {
  const files = readMigrationFiles(directory, folder);
  const applied = await readApplied(client, values.meta, values.database);
  const known = folder === META ? withoutLater(files, applied) : applied;
  const pending = pendingFiles(values.database, files, known);
  const cluster = expandMacros('{cluster}', values);
  await client.command(`CREATE DATABASE IF NOT EXISTS ${values.database}${cluster}`, { route });
  for (const file of pending) await applyFile(client, file, values, shardingKeys[folder] ?? {});
  return pending.map((file) => file.name);
}

function macroValues(client: StoreClient, options: MigrateOptions, database: string): MacroValues {
  return {
    database,
    meta: metaDatabase(options.network),
    epochSize: options.epochSize,
    cluster: client.cluster,
  };
}

/** Files that the meta database of a network lacks; null if there is no database yet. Changes nothing. */
export async function pendingMeta(
  client: StoreClient,
  { network, directory }: Pick<MigrateOptions, 'network' | 'directory'>,
): Promise<readonly string[] | null> {
  const meta = metaDatabase(network);
  const applied = await readApplied(client, meta, meta);
  if (applied.size === 0) return null;
  const files = readMigrationFiles(directory, META);
  return pendingFiles(meta, files, withoutLater(files, applied)).map(({ name }) => name);
}

/** Updates the meta database of a network. `migrate` calls this first; tools may call it directly. */
export async function migrateMeta(
  client: StoreClient,
  options: Pick<MigrateOptions, 'network' | 'directory' | 'shardingKeys'>,
): Promise<{ applied: string[] }> {
  const meta = metaDatabase(options.network);
  const values = { database: meta, meta, epochSize: 0, cluster: client.cluster };
  const cluster = expandMacros('{cluster}', values);
  await client.command(`CREATE DATABASE IF NOT EXISTS ${secretsDatabase(options.network)}${cluster}`, {
    route,
  });
  const applied = await migrateDatabase(client, options, META, values);
  await moveSecrets(client, options.network);
  return { applied };
}

/**
 * Makes the tables of a projection version, after the meta database is up to date. Refuses, before it touches anything,
 * files that were edited or removed after they were applied and numbers with gaps. A file that failed half-way is started
 * again by the next call. Answers the files that were applied now.
 */
export async function migrate(client: StoreClient, options: MigrateOptions): Promise<{ applied: string[] }> {
  const database = versionDatabase(options.network, options.projection, options.version);
  const { applied } = await migrateMeta(client, options);
  const own = await migrateDatabase(
    client,
    options,
    options.projection,
    macroValues(client, options, database),
  );
  return { applied: [...applied, ...own] };
}

/** Whether a version's database is made of the files of this folder, all of them and no others. Changes nothing. */
export async function hasAllFiles(client: StoreClient, options: MigrateOptions): Promise<boolean> {
  const database = versionDatabase(options.network, options.projection, options.version);
  const files = readMigrationFiles(options.directory, options.projection);
  const applied = await readApplied(client, metaDatabase(options.network), database);
  return files.length === applied.size && files.every((file) => applied.get(file.name) === file.checksum);
}

/** Applies files of the folder whatever else a version's database is made of. Answers the files. */
export async function applyOnly(
  client: StoreClient,
  options: MigrateOptions,
  isWanted: (file: MigrationFile) => boolean,
): Promise<string[]> {
  const database = versionDatabase(options.network, options.projection, options.version);
  const files = readMigrationFiles(options.directory, options.projection).filter(isWanted);
  const keys = options.shardingKeys?.[options.projection] ?? {};
  for (const file of files) await applyFile(client, file, macroValues(client, options, database), keys);
  return files.map(({ name }) => name);
}
