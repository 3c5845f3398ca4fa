import { DETECTION_RECORDS } from '../../../pipelines/detection-records.ts';
import { DETECTIONS } from '../../../pipelines/projections.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { Bus } from '../../../src/log/port.ts';
import { AvroCodec } from '../../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../src/platform/avro/schema-files.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { SCHEMAS } from '../../../src/projections/records/schemas.ts';
import type { Picture } from '../common/store-picture.ts';
import { readLane } from './deliver-again.ts';

const NAME = `${DETECTIONS.name}: recorded outcomes`;
const STEPS = `${DETECTIONS.name}: steps that are recorded twice`;

const toFact = (lines: readonly string[]) => [...lines].sort().join('\n');

/** Every outcome of the topic `detections`, and that no step is recorded twice. */
export async function recordedOutcomes(bus: Bus): Promise<Picture> {
  const codec = new AvroCodec(loadSchemas(SCHEMAS));
  const bounds = await bus.bounds(DETECTION_RECORDS);
  const lanes = await Promise.all(
    bounds.map(({ lane, first }) => readLane(bus, DETECTION_RECORDS, lane, first)),
  );
  const records = lanes.flat();
  const lines = records.flatMap(({ value }) => {
    const { mc_seqno, outcomes } = codec.decodeAs('detections', value).value;
    return outcomes.map(
      ({ account, kind, lt, reason }) =>
        `${mc_seqno} ${Buffer.from(account).toString('hex')} ${kind} ${lt} ${reason}`,
    );
  });
  const keys = records.map(({ key }) => key);
  const twice = keys.filter((key, place) => keys.indexOf(key) !== place);
  return { [NAME]: toFact(lines), [STEPS]: twice.join(' ') };
}

/** The same facts, as the tables of the projection `detections` have them. */
export async function storedOutcomes(client: StoreClient, network: string): Promise<Picture> {
  const database = getDatabase({ network }, DETECTIONS);
  const of = (table: string) =>
    `SELECT concatWithSeparator(' ', toString(mc_seqno), lower(hex(account)), toString(kind), toString(lt), reason) FROM ${database}.${table}`;
  const { rows } = await client.queryRows<[string]>(
    `${of('token_outcomes')} UNION ALL ${of('contract_outcomes')}`,
    { route: 'simulation' },
  );
  return { [NAME]: toFact(rows.map(([line]) => line)), [STEPS]: '' };
}
