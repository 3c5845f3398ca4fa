/**
 * `engine-child.ts TASK` (JSON), forked: does one task with one store in a process of its own. It starts after a message
 * of its parent, which sets the limit of memory first.
 */
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { note, round } from '../common/report.ts';
import type { BatchCount, ChildMessage, ChildTask, Measures, Visibility } from './child-task.ts';
import { waitUntilMerged } from './disk-bytes.ts';
import { ENGINES } from './engine-list.ts';
import type { KeyStore, StorePlace } from './key-store.ts';
import { BATCH_ROWS, makeKey, makeRows } from './made-rows.ts';
import { measureInserts } from './measure-inserts.ts';
import { measureAbsent, measurePresent } from './measure-reads.ts';

const PRESENT_SECONDS = 20;
const ABSENT_SECONDS = 10;
/** `stat` counts blocks of this size. */
const BLOCK_BYTES = 512;
const WATCH_MS = 10_000;
const WATCH_PAUSE_MS = 20;
/** Batches that are looked for after the last committed one: a batch may be written and not reported. */
const MORE_BATCHES = 20;

const task = JSON.parse(process.argv[2] ?? '') as ChildTask;
process.once('disconnect', () => process.exit());
await once(process, 'message');
try {
  await report(await run());
} catch (error) {
  await report({ kind: 'failed', error: toText(error) });
}
process.exit();

async function run(): Promise<ChildMessage> {
  switch (task.kind) {
    case 'measure':
      return { kind: 'measured', measures: await measure(task.keys, task.minutes) };
    case 'insert':
      return insertForever(task.firstBatch);
    case 'count':
      return {
        kind: 'counted',
        count: await withStore('write', (store) => countBatches(store, task.batches)),
      };
    case 'watch':
      return { kind: 'watched', visible: await withStore('read', watch) };
  }
}

/** The message of an error, with that of its cause: engines say there why a store does not open. */
function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${toText(error.cause)}`;
}

/** Resolves when the message is on its way, so that it is not lost if the process ends. */
function report(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

async function withStore<Result>(
  mode: StorePlace['mode'],
  work: (store: KeyStore) => Result | Promise<Result>,
): Promise<Result> {
  const store = await ENGINES[task.engine].open({ ...task.place, mode });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function measure(keys: number, minutes: number): Promise<Measures> {
  const name = task.engine;
  const inserts = await withStore('write', (store) => measureInserts(store, { name, keys, minutes }));
  const diskPerKey = round(countBytes(task.place.folder) / inserts.keys, 1);
  return withStore('read', async (store) => {
    note(`${name}: ${inserts.keys} keys in ${inserts.seconds} s; waits for merges`);
    const mergeSeconds = await waitUntilMerged();
    note(`${name}: ${mergeSeconds} s; reads of present keys`);
    const present = measurePresent(store, inserts.keys, PRESENT_SECONDS);
    note(`${name}: ${present.perSecond} reads/s; reads of absent keys`);
    return { inserts, diskPerKey, mergeSeconds, present, absent: measureAbsent(store, ABSENT_SECONDS) };
  });
}

/** Bytes that the files of a folder take on the disk. */
function countBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).blocks * BLOCK_BYTES)
    .reduce((sum, bytes) => sum + bytes, 0);
}

async function insertForever(firstBatch: number): Promise<never> {
  const store = await ENGINES[task.engine].open({ ...task.place, mode: 'write' });
  for (let batch = firstBatch; ; batch++) {
    await store.insert(makeRows(batch * BATCH_ROWS, BATCH_ROWS));
    await report({ kind: 'committed', batch });
  }
}

function countBatches(store: KeyStore, batches: number): BatchCount {
  const rows = Array.from({ length: batches + MORE_BATCHES }, (_, batch) => countRows(store, batch));
  return {
    complete: rows.flatMap((count, batch) => (count === BATCH_ROWS ? [batch] : [])),
    partial: rows.filter((count) => count > 0 && count < BATCH_ROWS).length,
  };
}

function countRows(store: KeyStore, batch: number): number {
  let count = 0;
  for (let i = 0; i < BATCH_ROWS; i++) if (store.get(makeKey(batch * BATCH_ROWS + i))) count++;
  return count;
}

/** Another process has committed at least the first batch, and writes on. */
async function watch(store: KeyStore): Promise<Visibility> {
  const hasBatch = (batch: number) => store.get(makeKey(batch * BATCH_ROWS)) !== null;
  if (!hasBatch(0)) return 'nothing';
  let next = 1;
  while (hasBatch(next)) next++;
  for (const end = Date.now() + WATCH_MS; Date.now() < end; await sleep(WATCH_PAUSE_MS))
    if (hasBatch(next)) return 'later';
  return 'earlier';
}
