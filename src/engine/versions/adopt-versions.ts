import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { applyOnly, hasAllFiles } from '../../platform/clickhouse/migrations/migrate.ts';
import { stepCounted, type TableProjection } from '../projection/projection.ts';
import { recountSteps } from '../sink/recount-steps.ts';
import { landingTable, type SinkDefinition } from '../sink/sink-definition.ts';
import { STEP_ROWS } from '../sink/step-rows.ts';
import { versionMigrations } from './create-version.ts';
import { listVersions } from './projection-pointer.ts';
import { getDatabase } from './version-names.ts';
import { getFingerprint } from './version-projection.ts';
import { readVersionRecords, recordVersion, type VersionRecord } from './version-records.ts';
import { heldSink, readTables, type VersionSchema } from './version-schema.ts';

interface Adoption {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly projection: TableProjection;
  /** The version that is served. */
  readonly served: number;
}

const EVERYTHING = [{ first: 0, last: 2 ** 32 - 1 }];

/**
 * Writes down what those versions consist of that releases made which did not write it down. They had the tables of this
 * release, or fewer. Answers the files that were applied.
 */
export async function adoptVersions(adoption: Adoption): Promise<readonly string[]> {
  const { client, identity, projection, served } = adoption;
  const records = await readVersionRecords(client, identity.network, projection.name);
  const applied: string[] = [];
  for (const version of await listVersions(client, identity.network, projection.name)) {
    // A version that no row names was built by the decoder of the same number.
    const unnamed = { version, codeVersion: version, state: 'ready', detail: {}, schema: null } as const;
    const record = records.find((one) => one.version === version) ?? unnamed;
    const isComplete = version === served || record.state === 'ready';
    if (record.schema === null && isComplete) applied.push(...(await adopt(adoption, record)));
  }
  return applied;
}

async function adopt(
  { client, identity, projection }: Adoption,
  record: VersionRecord,
): Promise<readonly string[]> {
  const migrations = versionMigrations(identity, projection, record.version);
  const database = getDatabase(identity, projection, record.version);
  const isOwn = await hasAllFiles(client, migrations);
  const before = await readTables(client, database);
  const lacksCounts = !(landingTable(STEP_ROWS) in before);
  const applied = lacksCounts
    ? await applyOnly(client, migrations, ({ name }) => name.endsWith(`_${STEP_ROWS}.sql`))
    : [];
  const tables = lacksCounts ? await readTables(client, database) : before;
  const sink = heldSink(sinkWithin(projection.sink, tables));
  // Rows of before were not counted.
  if (lacksCounts) await recountSteps({ client, database }, stepCounted({ sink }), EVERYTHING);
  const schema: VersionSchema = { fingerprint: isOwn ? getFingerprint(projection) : null, tables, sink };
  const owner = { network: identity.network, projection: projection.name };
  await recordVersion(client, owner, { ...record, schema });
  return applied;
}

/** The part of a definition whose tables are there. */
function sinkWithin(sink: SinkDefinition, tables: VersionSchema['tables']): SinkDefinition {
  const has = ({ table }: { readonly table: string }) => table in tables;
  return {
    ...sink,
    landings: sink.landings
      .filter(({ landing }) => landingTable(landing) in tables)
      .map((landing) => ({ ...landing, counted: landing.counted.filter(has) })),
    derived: sink.derived.filter(has),
  };
}
