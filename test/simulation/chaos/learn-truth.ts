import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../../pipelines/base.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import { indexInProcess } from '../../helpers/index-in-process.ts';
import { dropNetwork } from '../common/drop-network.ts';
import { networkPicture, type Picture } from '../common/store-picture.ts';
import { type ChaosPlan, chaosPlan } from './chaos-plan.ts';
import type { ChaosWorld, Corpus, KnownCorpus } from './chaos-world.ts';
import { RoundLog } from './round-log.ts';
import { RoundStages } from './round-stages.ts';

/** Indexes and publishes the corpus without any disturbance, and leaves no trace of it. */
export async function learnTruth(world: ChaosWorld, corpus: Corpus): Promise<KnownCorpus> {
  const { client } = world.store;
  const { source, network } = corpus;
  const { identity, database, summary } = await indexInProcess(client, {
    source,
    ...(network && { network }),
    verifyLevel: 'tx',
  });
  const tables = await networkPicture(client, identity.network);
  await dropNetwork(world.store.client, identity.network);
  if (database !== getDatabase(identity, BASE)) throw new Error(`${database} is not the database of the log`);
  const truth = { ...tables, ...(await typedTopics(world, corpus)) };
  return { ...corpus, label: identity.network, database, truth, blocks: summary.blocks };
}

const CALM: ChaosPlan = {
  ...chaosPlan(1, 1),
  name: 'undisturbed',
  log: 'kafka',
  lanes: 4,
  epochSize: 1_000,
  sessionMs: 15_000,
};
const POLL_INTERVAL_MS = 100;
const PATIENCE_MS = 120_000;

/** Typed topics that one publisher makes of the corpus in one lane. */
async function typedTopics(world: ChaosWorld, corpus: Corpus): Promise<Picture> {
  const prefix = `test.chaos.${process.pid}.truth`;
  const ends: string[] = [];
  const stages = new RoundStages(world, CALM, corpus, prefix, world.folder, ({ words }) => ends.push(words));
  await stages.run('topics', ['topics', corpus.source]);
  const log = await RoundLog.open(stages.place);
  try {
    stages.start({ decoders: 0, publishers: 1 });
    const deadline = Date.now() + PATIENCE_MS;
    while (!(stages.captureIsDone && (await log.left()) === '' && (await log.hasGroups(1)))) {
      if (ends.length > 0 || Date.now() > deadline)
        throw new Error(`${corpus.name} could not be published: ${[...ends, stages.words()].join(' | ')}`);
      await sleep(POLL_INTERVAL_MS);
    }
    return await log.typedTopics();
  } finally {
    await stages.kill();
    await log.remove();
  }
}
