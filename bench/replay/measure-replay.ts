import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../pipelines/base.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { type ApiProcess, startApi } from '../api/api-process.ts';
import { chooseEndpoints } from '../api/endpoints.ts';
import type { BenchStore } from '../common/bench-store.ts';
import { note } from '../common/report.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import { Reader, type ReaderReport } from './reader.ts';
import { type ReplayChildOptions, type ReplayDone, replayInChild } from './replay-process.ts';
import { answersFrom } from './switch-watch.ts';

type ChainOptions = Omit<ReplayChildOptions, 'codeVersion'>;

export interface ReaderFigures {
  /** The replay with a reader of the API. */
  readonly withReaders: ReplayDone;
  readonly before: ReaderReport;
  readonly during: ReaderReport;
  /** From the moment that was announced to the first answer from the new version. */
  readonly switchMs: number;
}

/** A reader who is there all the time, and leaves the machine to others most of it. */
const PAUSE_MS = 20;
const QUIET_SECONDS = 40;
const REQUESTS = 300;
/** Code versions of the replays: each differs from the served version's. */
const FIRST_CODE = BASE.version + 1;
const SECOND_CODE = BASE.version + 2;

/** Replays an existing index without other load, like first indexing and the ready-made inserts. */
export function replayAlone(options: ChainOptions): Promise<ReplayDone> {
  return replayInChild({ ...options, codeVersion: FIRST_CODE }, async () => {});
}

/** Replays it once more, with an API under load. */
export async function replayWithReaders(
  options: ChainOptions,
  { identity }: ChainPlan,
  { client }: BenchStore,
): Promise<ReaderFigures> {
  const endpoints = await chooseEndpoints(client, getDatabase(identity, BASE, 2), REQUESTS);
  const calls = Array.from({ length: REQUESTS }, (_, i) =>
    endpoints.flatMap(({ requests }) => requests[i % requests.length] ?? []),
  ).flat();
  // No response cache: repeated requests are read again.
  const api = await startApi(options.data, ['--query-timeout-ms', '30000', '--response-cache-mb', '0']);
  const reader = new Reader({ url: api.url, calls, pauseMs: PAUSE_MS });
  try {
    await sleep(3_000);
    await reader.report();
    await sleep(QUIET_SECONDS * 1_000);
    const before = await reader.report();
    note(`p99 ${before.p99.toFixed(1)} ms of ${before.requests}; replaying beside them`);
    return { before, ...(await withReader(options, getDatabase(identity, BASE, 3), api, reader)) };
  } finally {
    await reader.stop();
    await api.stop();
  }
}

async function withReader(
  options: ChainOptions,
  database: string,
  api: ApiProcess,
  reader: Reader,
): Promise<Omit<ReaderFigures, 'before'>> {
  const stop = new AbortController();
  let during: ReaderReport | undefined;
  let seen: Promise<number> | undefined;
  try {
    const withReaders = await replayInChild({ ...options, codeVersion: SECOND_CODE }, async () => {
      during = await reader.report();
      seen = answersFrom(api.url, database, stop.signal);
      // Met below; until then it must not count as unhandled.
      seen.catch(() => {});
    });
    if (!during || !seen) throw new Error('a replay that was not built has ended');
    return { withReaders, during, switchMs: (await seen) - withReaders.switchedAt };
  } finally {
    stop.abort();
  }
}
