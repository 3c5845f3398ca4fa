import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import {
  readMigrationFiles,
  schemaFingerprint,
} from '../../platform/clickhouse/migrations/migration-files.ts';
import type { NativeTable } from '../../platform/clickhouse/native-format.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { MIGRATIONS } from '../project-files.ts';
import type { TableProjection } from '../projection/projection.ts';
import { landingTable } from '../sink/sink-definition.ts';
import { STEP_ROWS } from '../sink/step-rows.ts';
import { getDatabase } from './version-names.ts';
import { readVersionRecords } from './version-records.ts';
import type { TableColumns, VersionSchema } from './version-schema.ts';

/** The code yields no values for a column of a version that another release made: rows of it would be wrong. */
export class VersionSchemaError extends ConflictError {
  readonly database: string;
  /** `table.column` */
  readonly column: string;
  constructor(database: string, column: string) {
    super(
      `${database} has ${column}, which this release does not write: build the next version (\`tonhouse replay\`), or let the release that made it write it`,
    );
    this.database = database;
    this.column = column;
  }
}

/** Fingerprint of the tables that a projection's code makes. */
export function getFingerprint({ name, migrations }: Pick<TableProjection, 'name' | 'migrations'>): string {
  return schemaFingerprint(readMigrationFiles(migrations ?? MIGRATIONS, name));
}

/** A stored version of a projection. */
export interface StoredVersion {
  readonly client: StoreClient;
  readonly identity: Pick<LogIdentity, 'network'>;
  readonly projection: TableProjection;
  readonly version: number;
}

/** Recorded schema of a version; null where none was recorded. */
export async function readVersionSchema({
  client,
  identity,
  projection,
  version,
}: Omit<StoredVersion, 'projection'> & {
  readonly projection: Pick<TableProjection, 'name'>;
}): Promise<VersionSchema | null> {
  const records = await readVersionRecords(client, identity.network, projection.name);
  return records.find((record) => record.version === version)?.schema ?? null;
}

/**
 * The projection as it writes one version, with that version's choices. For a version with other tables than the
 * code's, rows land in its tables and columns. Throws `VersionSchemaError` if the code lacks values for it.
 */
export async function projectionOfVersion(stored: StoredVersion): Promise<TableProjection> {
  const { client, identity, version } = stored;
  const records = await readVersionRecords(client, identity.network, stored.projection.name);
  const record = records.find((one) => one.version === version);
  const projection = (record && stored.projection.ofCode?.(record.codeVersion)) ?? stored.projection;
  const schema = record?.schema && withoutRetired(record.schema, projection);
  if (!schema || schema.fingerprint === getFingerprint(projection)) return projection;
  const database = getDatabase(identity, projection, version);
  const anywhere = { client, database, partition: 0, partitions: 1, next: 0 };
  requireValues(database, schema, projection.begin(anywhere).createRowSet().tables);
  return { ...projection, sink: { ...schema.sink, columns: landingColumns(schema) } };
}

/** The schema as the code writes it: tables that nothing reads any more get no rows. */
function withoutRetired(schema: VersionSchema, { retired = [] }: TableProjection): VersionSchema {
  const landings = schema.sink.landings.filter(({ landing }) => !retired.includes(landing));
  return { ...schema, sink: { ...schema.sink, landings } };
}

function requireValues(database: string, schema: VersionSchema, yielded: readonly NativeTable[]): void {
  for (const [landing, columns] of Object.entries(landingColumns(schema))) {
    if (landing === STEP_ROWS) continue;
    const table = yielded.find(({ name }) => name === landing);
    const types = new Map(table?.columns.map(({ name, type }) => [name, type]));
    for (const [column, type] of Object.entries(columns)) {
      if (types.get(column) !== type)
        throw new VersionSchemaError(database, `${landingTable(landing)}.${column} ${type}`);
    }
  }
}

function landingColumns({ sink, tables }: VersionSchema): Readonly<Record<string, TableColumns>> {
  return Object.fromEntries(
    sink.landings.map(({ landing }) => [landing, tables[landingTable(landing)] ?? {}]),
  );
}
