import { basename } from 'node:path';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { detectedPicture, replayedPicture } from '../common/detected-picture.ts';
import { lookUpPicture } from '../common/look-up-files.ts';
import { withReadBlocks } from '../common/raw-blocks.ts';
import { networkPicture, type Picture, type RowCounts, rowsOf } from '../common/store-picture.ts';
import type { ChaosWorld, KnownCorpus } from './chaos-world.ts';
import { recordedOutcomes, storedOutcomes } from './recorded-outcomes.ts';
import type { RoundLog } from './round-log.ts';
import type { RoundStages } from './round-stages.ts';

export interface Deviation {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** Differences between what the round and what an undisturbed index left, and the rows of the round. */
export async function roundPicture(
  world: ChaosWorld,
  stages: RoundStages,
  log: RoundLog,
  { truth, label, blocks, states = [] }: KnownCorpus,
): Promise<{ differences: Deviation[]; rows: RowCounts }> {
  const { client } = world.store;
  const read = log.hasServers ? detectedPicture : networkPicture;
  const parts = { client, bus: log.bus, identity: await log.identity() };
  const stored = await withReadBlocks(await read(client, label), parts);
  const topics = await log.typedTopics();
  const records = await log.records();
  const expected: Record<string, string> = {
    ...(log.hasTopics ? truth : Object.fromEntries(Object.entries(truth).filter(([what]) => !isTopic(what)))),
    // States that the index begins with are records too.
    'log: blocks': String(blocks + states.length),
    'log: records': String(blocks + states.length + stages.copies),
    'log: dead letters': '0',
    verify: '0 problems',
    ...(log.hasServers && (await recordedOutcomes(log.bus))),
    ...Object.fromEntries(
      stages.lookUpFolders.map((folder) => [`look-up index ${basename(folder)}`, 'equal']),
    ),
  };
  const found: Record<string, string> = {
    ...stored,
    ...topics,
    'log: blocks': String(new Set(records.map(({ key }) => key)).size),
    'log: records': String(records.length),
    'log: dead letters': String(await log.deadLetters()),
    verify: await verify(world, stages),
    ...(log.hasServers && (await storedOutcomes(client, label))),
    ...(log.hasServers && (await lookUpFacts(stages, log, client))),
    ...(log.hasServers && (await replayedPicture(client, log.bus))),
  };
  const differences = Object.keys({ ...expected, ...found })
    .filter((what) => expected[what] !== found[what])
    .map((what) => ({ what, expected: expected[what] ?? 'nothing', found: found[what] ?? 'nothing' }));
  return { differences, rows: rowsOf(stored, topics) };
}

/** Whether the look-up index of each server has the rows of the tables. */
async function lookUpFacts(stages: RoundStages, log: RoundLog, client: StoreClient): Promise<Picture> {
  const identity = await log.identity();
  const facts: Record<string, string> = {};
  for (const folder of stages.lookUpFolders) {
    const found = Object.entries(await lookUpPicture({ client, identity }, folder));
    const wrong = found.filter(
      ([, fact]) => !/^(equal|complete|the look-up index has the [1-9]\d* rows)/.test(fact),
    );
    facts[`look-up index ${basename(folder)}`] = wrong.map((one) => one.join(': ')).join('; ') || 'equal';
  }
  return facts;
}

const isTopic = (what: string) => what.startsWith('topic ');

/** Result of `tonhouse verify`, past the proxy. */
async function verify({ store }: ChaosWorld, stages: RoundStages): Promise<string> {
  try {
    const answer = await stages.run('verify', ['verify', '--json'], {
      TONHOUSE_CLICKHOUSE_URL: store.access.url,
    });
    return `${(JSON.parse(answer) as { problems: number }).problems} problems`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
