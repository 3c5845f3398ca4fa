import { setTimeout as sleep } from 'node:timers/promises';
import { BenchError } from '../common/bench-error.ts';
import type { BatchCount, ChildTask } from './child-task.ts';
import { runEngine, startEngine } from './engine-process.ts';
import { BATCH_ROWS } from './made-rows.ts';

/** What a store has after its process was killed while it inserted. */
export interface Kills {
  readonly kills: number;
  /** Committed batches before the last kill. */
  readonly committed: number;
  /** Committed batches of which a row is missing after some kill. */
  readonly lost: number;
  /** Batches of which only some rows are there after some kill. */
  readonly partial: number;
}

const KILLS = 4;
/** A kill comes at any time of a batch. */
const MAX_DELAY_MS = 50;

/** Kills a process that inserts, opens the store again and counts batches, some times. @throws BenchError if it does not open */
export async function tryKills(store: Pick<ChildTask, 'engine' | 'place'>, keys: number): Promise<Kills> {
  const batchesOfRound = Math.ceil(keys / BATCH_ROWS / KILLS);
  let [committed, lost, partial] = [0, 0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    committed = (await insertUntilKilled(store, committed, batchesOfRound)) + 1;
    const count = await countBatches(store, committed);
    const complete = new Set(count.complete);
    for (let batch = 0; batch < committed; batch++) if (!complete.has(batch)) lost++;
    partial += count.partial;
  }
  return { kills: KILLS, committed, lost, partial };
}

/** The last batch that was reported as committed. */
async function insertUntilKilled(
  store: Pick<ChildTask, 'engine' | 'place'>,
  firstBatch: number,
  batches: number,
): Promise<number> {
  const child = startEngine({ ...store, kind: 'insert', firstBatch }, null);
  try {
    const readBatch = async () => {
      const message = await child.next();
      if (message.kind !== 'committed') throw new BenchError(`a batch expected, ${message.kind} found`);
      return message.batch;
    };
    while ((await readBatch()) < firstBatch + batches - 1);
    await sleep(Math.random() * MAX_DELAY_MS);
    await child.kill();
    // What arrived before the kill was committed, too.
    let last = firstBatch + batches - 1;
    for (;;)
      try {
        last = await readBatch();
      } catch {
        return last;
      }
  } finally {
    await child.kill();
  }
}

async function countBatches(
  store: Pick<ChildTask, 'engine' | 'place'>,
  batches: number,
): Promise<BatchCount> {
  const message = await runEngine({ ...store, kind: 'count', batches }, null);
  if (message.kind !== 'counted') throw new BenchError(`a count expected, ${message.kind} found`);
  return message.count;
}
