import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../../pipelines/base.ts';
import { HeadFollower } from '../../../src/engine/replay/head.ts';
import { versionMigrations } from '../../../src/engine/versions/create-version.ts';
import { servedVersion } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { StageProcess, SupervisedStage } from '../common/stage-process.ts';
import { storePicture } from '../common/store-picture.ts';
import { inDirectory } from './index-directory.ts';
import type { KillPlan, Victim } from './kill-plan.ts';
import { killedReplay } from './killed-replay.ts';
import { pictureDifferences } from './served-picture.ts';

export interface HeadRoundResult {
  readonly killed: readonly Victim[];
  readonly processes: number;
  /** Masterchain blocks that came to the index while it was replayed. */
  readonly grown: number;
  readonly differences: readonly string[];
}

/** Indexed afresh, to compare with. */
const FRESH = 90;
const DECODE = {
  verifyLevel: 'tx',
  decodeWorkers: 0,
  batchRows: 1_000,
  batchMs: 0,
  sessionMs: 2_000,
} as const;
const POLL_INTERVAL_MS = 100;
const MIN_STEPS = 20;

/**
 * `tonhouse up` makes and indexes a local chain under traffic; meanwhile the index is replayed by processes that are
 * killed. At the end the served version must equal a fresh index of the same log.
 */
export async function headRound(plan: KillPlan, folder: string): Promise<HeadRoundResult> {
  const directory = join(folder, 'data');
  const { epochSize, lanes } = plan.index;
  const args = ['up', '--source', 'localnet', '--data', directory, '--port', '0', '--keep-log'];
  const flags = ['--traffic', 10, '--block-ms', 300, '--epoch-size', epochSize, '--lanes', lanes];
  const decode = ['--batch-ms', 50, '--session-ms', 1_000, '--decode-workers', 0];
  const log = join(folder, 'up.log');
  const selfEnds: string[] = [];
  const head = new SupervisedStage(
    'up',
    () => new StageProcess([...args, ...flags.map(String), ...decode.map(String)], {}, log),
    ({ words }) => selfEnds.push(words),
  );
  try {
    while (headOf(head.words) < MIN_STEPS) await sleep(POLL_INTERVAL_MS);
    const before = headOf(head.words);
    const replay = join(folder, 'replay.log');
    const { killed, processes } = await killedReplay({ ...plan, directory, head, log: replay });
    const end = await head.stop();
    const badEnd = end && end.code !== 0 ? [`up ended with ${end.code ?? end.signal}: ${head.words}`] : [];
    const { seqno, differences } = await compareWithFresh(directory);
    return {
      killed,
      processes,
      grown: seqno - before,
      differences: [...badEnd, ...selfEnds, ...differences],
    };
  } finally {
    await head.stop('SIGKILL');
  }
}

/** The masterchain block that `up` last said it had indexed. */
function headOf(words: string): number {
  return Number(
    words
      .match(/masterchain (\d+)/g)
      ?.at(-1)
      ?.slice(12) ?? 0,
  );
}

interface Comparison {
  /** The last masterchain block of the fresh index: `up` may have been killed before it reported it. */
  readonly seqno: number;
  readonly differences: readonly string[];
}

function compareWithFresh(directory: string): Promise<Comparison> {
  return inDirectory(directory, async (log, client, session) => {
    const identity = await log.bus.identity();
    if (!identity) throw new Error(`${directory} has no log`);
    const parts = { ...log, client, identity, owner: session.owner, log: session.log, projection: BASE };
    const served = await servedVersion(client, identity, BASE);
    await migrate(client, versionMigrations(identity, BASE, FRESH));
    for (const version of [served, FRESH]) {
      const follower = await HeadFollower.start(parts, version, DECODE, session.signal);
      await follower.catchUp(session.signal);
      await follower.close();
    }
    const fresh = getDatabase(identity, BASE, FRESH);
    const [expected, found] = [
      await storePicture(client, fresh),
      await storePicture(client, getDatabase(identity, BASE, served)),
    ];
    const isReplayed = served > 1 ? [] : [`version ${served} is served after the replay`];
    const { rows } = await client.queryRows<[number]>(
      `SELECT max(seqno) FROM ${fresh}.blocks WHERE workchain = -1`,
      { route: 'simulation' },
    );
    return {
      seqno: rows[0]?.[0] ?? 0,
      differences: [...isReplayed, ...pictureDifferences(expected, found)],
    };
  });
}
