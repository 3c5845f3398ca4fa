import { CONTRACTS } from '../../../pipelines/contracts.ts';
import { ACTIONS, DETECTIONS, LAKE } from '../../../pipelines/projections.ts';
import { runReplay } from '../../../src/engine/replay/run.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { Bus } from '../../../src/log/port.ts';
import { AvroCodec } from '../../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../src/platform/avro/schema-files.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { Shutdown } from '../../../src/platform/observability/shutdown.ts';
import { SCHEMAS } from '../../../src/projections/records/schemas.ts';
import { quietLog, quietRun } from '../../helpers/replay-store.ts';
import { networkPicture, type Picture, rowSums, storePicture } from './store-picture.ts';

/**
 * Facts of an index whose servers run get methods. Outcomes are input: which states are examined, and in the record of
 * which step an outcome is, depends on time. Only the outcomes of the newest states are the same in two indexes. All other
 * rows of `detections` follow from the recorded outcomes, so a replay must give them again.
 */

/** Facts that depend on the time of the outcomes. Corrections are recorded, and tokens wait for outcomes. */
const TIMED = [
  `${DETECTIONS.name}: `,
  `${ACTIONS.name}: undetected_tokens`,
  `${ACTIONS.name}: corrections`,
  `${ACTIONS.name}: step_rows`,
  `${LAKE.name}: corrections`,
];
/** Tables of a version that a replay does not make: batches, and corrections that a replay does not need. */
const NOT_REPLAYED: readonly string[] = ['confirmed', 'step_rows', 'corrections', 'undetected_tokens'];
const REPLAYED = [CONTRACTS, DETECTIONS, ACTIONS, LAKE];
const OUTCOMES = ['token_outcomes', 'contract_outcomes'];

/** Facts that are the same in two indexes of one chain with detected contracts. */
export async function detectedPicture(client: StoreClient, network: string): Promise<Picture> {
  const facts = Object.entries(await networkPicture(client, network));
  const picture = facts.filter(
    ([name]) =>
      name.startsWith(`${DETECTIONS.name}: confirmed`) || !TIMED.some((one) => name.startsWith(one)),
  );
  const database = getDatabase({ network }, DETECTIONS);
  for (const table of OUTCOMES) {
    const newest = `SELECT * EXCEPT mc_seqno FROM ${database}.${table} ORDER BY lt DESC, mc_seqno DESC LIMIT 1 BY account, workchain, kind`;
    picture.push([`${DETECTIONS.name}: newest of ${table}`, await rowSums(client, newest)]);
  }
  return Object.fromEntries(picture);
}

/** Replays the projections that depend on outcomes; the tables whose rows a replay changed, as facts. */
export async function replayedPicture(client: StoreClient, bus: Bus): Promise<Picture> {
  const identity = await bus.identity();
  if (!identity) throw new Error('the log has no identity');
  const codec = new AvroCodec(loadSchemas(SCHEMAS));
  const facts: Record<string, string> = {};
  for (const projection of REPLAYED) {
    const shutdown = new Shutdown();
    const parts = { bus, codec, client, identity, projection, owner: 'picture', log: quietLog };
    const run = quietRun(parts, { owner: parts.owner, log: quietLog, signal: shutdown.signal });
    await runReplay(run, { range: { from: null, to: null }, accept: async () => false });
    const [stored, replayed] = await Promise.all(
      [1, 2].map((version) => storePicture(client, getDatabase(identity, projection, version))),
    );
    for (const table of Object.keys({ ...stored, ...replayed }))
      if (!NOT_REPLAYED.includes(table) && stored![table] !== replayed![table])
        facts[`replay of ${projection.name}: ${table}`] = `${replayed![table]}; stored ${stored![table]}`;
  }
  return facts;
}
