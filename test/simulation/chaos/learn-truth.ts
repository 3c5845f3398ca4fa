import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../../pipelines/base.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import { indexInProcess } from '../../helpers/index-in-process.ts';
import { detectedPicture } from '../common/detected-picture.ts';
import { dropNetwork } from '../common/drop-network.ts';
import { countDueCorrections } from '../common/due-corrections.ts';
import { withReadBlocks } from '../common/raw-blocks.ts';
import { networkPicture, type Picture } from '../common/store-picture.ts';
import { type ChaosPlan, chaosPlan } from './chaos-plan.ts';
import type { ChaosWorld, Corpus, KnownCorpus } from './chaos-world.ts';
import { RoundLog } from './round-log.ts';
import { RoundStages } from './round-stages.ts';

/** Indexes and publishes the corpus without any disturbance, and leaves no trace of it. */
export async function learnTruth(world: ChaosWorld, corpus: Corpus): Promise<KnownCorpus> {
  const { client } = world.store;
  const { source, network, served } = corpus;
  if (served) {
    const known = { ...corpus, label: served.network, blocks: served.blocks };
    return { ...known, truth: await calmStages(world, known) };
  }
  const { identity, database, summary } = await indexInProcess(client, {
    source,
    ...(network && { network }),
    verifyLevel: 'tx',
  });
  const tables = await withReadBlocks(await networkPicture(client, identity.network), { client, identity });
  await dropNetwork(client, identity.network);
  if (database !== getDatabase(identity, BASE)) throw new Error(`${database} is not the database of the log`);
  const known = { ...corpus, label: identity.network, blocks: summary.blocks };
  return { ...known, truth: { ...tables, ...(await calmStages(world, known)) } };
}

const CALM: ChaosPlan = {
  ...chaosPlan(1, [{}]),
  name: 'undisturbed',
  log: 'kafka',
  lanes: 4,
  epochSize: 1_000,
  sessionMs: 15_000,
};
const POLL_INTERVAL_MS = 100;
const PATIENCE_MS = 600_000;

/**
 * Typed topics that one publisher makes of the corpus in one lane. If the corpus has servers, also the tables: those of
 * an index without servers lack detected contracts.
 */
async function calmStages(world: ChaosWorld, corpus: Pick<KnownCorpus, 'label'> & Corpus): Promise<Picture> {
  const { client } = world.store;
  const prefix = `test.chaos.${process.pid}.truth`;
  const ends: string[] = [];
  const stages = new RoundStages(world, CALM, corpus, prefix, world.folder, ({ words }) => ends.push(words));
  await (corpus.served ? stages.prepare() : stages.run('topics', ['topics', corpus.source]));
  const log = await RoundLog.open(stages.place);
  const readDue = async () => (log.hasServers ? countDueCorrections(client, corpus.label) : 0);
  const isDone = async () =>
    stages.captureIsDone &&
    (log.hasServers ? await log.isConsumed() : (await log.left()) === '' && (await log.hasGroups(1))) &&
    (await readDue()) === 0;
  try {
    stages.start({ decoders: log.hasServers ? 1 : 0, publishers: 1 });
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await isDone())) {
      if (ends.length > 0 || Date.now() > deadline)
        throw new Error(`${corpus.name} could not be indexed: ${[...ends, stages.words()].join(' | ')}`);
      await sleep(POLL_INTERVAL_MS);
    }
    const topics = await log.typedTopics();
    if (!log.hasServers) return topics;
    const tables = await detectedPicture(client, corpus.label);
    return { ...(await withReadBlocks(tables, { client, identity: await log.identity() })), ...topics };
  } finally {
    await stages.kill();
    await log.remove();
    await dropNetwork(client, corpus.label);
  }
}
