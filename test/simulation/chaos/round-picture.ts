import { networkPicture, type RowCounts, rowsOf } from '../common/store-picture.ts';
import type { ChaosWorld, KnownCorpus } from './chaos-world.ts';
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
  { truth, label, blocks }: KnownCorpus,
): Promise<{ differences: Deviation[]; rows: RowCounts }> {
  const stored = await networkPicture(world.store.client, label);
  const topics = await log.typedTopics();
  const records = await log.records();
  const expected: Record<string, string> = {
    ...(log.hasTopics ? truth : Object.fromEntries(Object.entries(truth).filter(([what]) => !isTopic(what)))),
    'log: blocks': String(blocks),
    'log: records': String(blocks + stages.copies),
    'log: dead letters': '0',
    verify: '0 problems',
  };
  const found: Record<string, string> = {
    ...stored,
    ...topics,
    'log: blocks': String(new Set(records.map(({ key }) => key)).size),
    'log: records': String(records.length),
    'log: dead letters': String(await log.deadLetters()),
    verify: await verify(world, stages),
  };
  const differences = Object.keys({ ...expected, ...found })
    .filter((what) => expected[what] !== found[what])
    .map((what) => ({ what, expected: expected[what] ?? 'nothing', found: found[what] ?? 'nothing' }));
  return { differences, rows: rowsOf(stored, topics) };
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
