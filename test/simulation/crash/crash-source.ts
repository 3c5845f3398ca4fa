import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import type { Bus } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';
import { createStoreClient } from '../../../src/platform/clickhouse/client.ts';
import { makeTokenPacks } from '../../helpers/token-packs.ts';
import { RoundLog } from '../chaos/round-log.ts';
import { countDueCorrections } from '../common/due-corrections.ts';
import { unreadSteps } from '../common/look-up-files.ts';
import { LOG_THREAD } from '../common/raw-blocks.ts';
import type { IndexProcess } from './index-process.ts';

/** What is indexed, and by which command. */
export interface CrashSource {
  /** The command and its source. */
  readonly words: readonly string[];
  /**
   * The last masterchain block, if the command is a server, which detects contracts, fills a look-up index, and does not
   * end by itself. Absent: the command ends when everything is indexed.
   */
  readonly servedUntil?: number;
  /** In short runs: time after the store is up in which most faults come, ms. */
  readonly shortMs: number;
}

/** A source that `tonhouse index` indexes. */
export function indexed(source: string): CrashSource {
  return { words: ['index', source], shortMs: 1_500 };
}

const SERVER = ['--host', '127.0.0.1', '--port', '0', '--lookup-index', 'on'];

/** A source that `tonhouse up` indexes and serves. `last`: its last masterchain block. */
export function served(source: string, last: number): CrashSource {
  return { words: ['up', '--source', source, ...SERVER], servedUntil: last, shortMs: 8_000 };
}

/** A local chain whose tokens only get methods recognise, which `tonhouse up` indexes. It is made in a folder. */
export async function servedTokens(folder: string): Promise<CrashSource> {
  const { directory, states, last } = await makeTokenPacks(folder);
  const start = states.flatMap((file) => ['--state', file]);
  const source = served(`archive:${directory}`, last);
  return { ...source, words: [...source.words, '--network', 'localnet', ...start] };
}

const POLL_INTERVAL_MS = 500;

/** Waits until a server has indexed, detected, corrected and filled its look-up index with everything; false if its process ends first. */
export async function whenServed(index: IndexProcess, directory: string, last: number): Promise<boolean> {
  await index.storeUp();
  if (index.gone) return false;
  const openBus = () => openEmbeddedBus({ directory: join(directory, 'log'), thread: LOG_THREAD });
  const [bus, log] = [await openBus(), await RoundLog.open({ openBus, kafka: null, hasServers: true })];
  try {
    while (!index.gone) {
      // The store or the process may be killed meanwhile.
      if (await isServed(index, { bus, log, directory }, last).catch(() => false)) return true;
      await Promise.race([sleep(POLL_INTERVAL_MS), index.exited]);
    }
    return false;
  } finally {
    await bus.close();
    await log.remove();
  }
}

interface ServedDirectory {
  readonly bus: Bus;
  readonly log: RoundLog;
  readonly directory: string;
}

async function isServed(
  index: IndexProcess,
  { bus, log, directory }: ServedDirectory,
  last: number,
): Promise<boolean> {
  if ((await bus.highest(RAW_BLOCKS)) < last || !(await log.isConsumed())) return false;
  const [store, identity] = [index.store, await bus.identity()];
  if (!store || !identity) return false;
  const client = createStoreClient(store);
  try {
    if ((await countDueCorrections(client, identity.network)) > 0) return false;
    return (await unreadSteps({ client, identity }, join(directory, 'lookup'))) === '';
  } finally {
    await client.close();
  }
}
