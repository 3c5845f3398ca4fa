import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { startMain } from '../../helpers/run-main.ts';
import { isColdRound, movesTo, placeOf } from '../common/cold-folder.ts';
import type { Picture } from '../common/store-picture.ts';
import { endWhenServed } from '../crash/crash-run.ts';
import type { CrashSource } from '../crash/crash-source.ts';
import { dataPicture } from '../crash/data-picture.ts';
import { IndexProcess } from '../crash/index-process.ts';
import { copyAfterCut } from './cut-copy.ts';
import type { Layout } from './recorded-disk.ts';

/** An index that is cut off again and again, each time on a copy. */
export interface CutRound {
  readonly seed: number;
  readonly source: CrashSource;
  readonly folder: string;
  readonly recorder: string;
  readonly truth: Picture;
  /** Newest epochs whose raw blocks stay in the store; 0: all. Default: by the seed. */
  readonly hotEpochs?: number | undefined;
  /** True: old parts of tables move to a cold folder. Default: by the seed. */
  readonly isCold?: boolean | undefined;
  readonly workMs: number;
  /** At most so many cuts. */
  readonly cuts: number;
  readonly onCut: (result: CutResult) => void;
}

export interface CutResult {
  readonly seed: number;
  readonly layout: Layout;
  /** Ms after the start of the process. */
  readonly atMs: number;
  /** Problems that verify found on the copy; empty if it found none. */
  readonly found: readonly string[];
  readonly isRepaired: boolean;
  /** Epochs whose raw blocks are in sealed files only, at the end. */
  readonly coldEpochs: number;
  /** Parts in the cold folder at the end. */
  readonly coldParts: number;
  /** Differences from what should be; empty: passed. */
  readonly wrong: readonly string[];
  readonly directory: string;
}

const RECORD_STORE = new URL('./record-store.ts', import.meta.url).href;
const CUTS_A_ROUND = 3;
/** A command that prints nothing for so long hangs. */
const SILENT_MS = 600_000;
/** A server that still has work after so long hangs. */
const SERVED_MS = 900_000;

/** Indexes under the recorder, and tries what a power cut at some moments would leave. Answers how many there were. */
export async function cutRound(round: CutRound): Promise<number> {
  const random = new SeededRandom(round.seed);
  mkdirSync(round.folder, { recursive: true });
  const folder = realpathSync(round.folder);
  const directory = join(folder, 'data');
  const record = join(folder, 'record');
  // The store may write only below this folder.
  const keep = join(directory, 'clickhouse/log/keep');
  mkdirSync(keep, { recursive: true });
  const made = [directory, join(directory, 'clickhouse'), join(directory, 'clickhouse/log')];
  writeFileSync(record, made.map((path) => `M\t${path}\t${statSync(path).ino}\n`).join(''));
  const flags = [
    ...['--batch-rows', String(random.between(10, 60))],
    ...['--batch-ms', '0'],
    ...['--epoch-size', String(random.pick([5, 10, 25, 1_000]))],
    ...['--lanes', String(random.pick([1, 2, 4]))],
    ...['--hot-epochs', String(round.hotEpochs ?? new SeededRandom(~round.seed).pick([0, 1, 1, 2]))],
  ];
  const isCold = round.isCold ?? isColdRound(round.seed);
  const start = [...flags, ...(isCold ? movesTo(directory) : [])];
  const index = new IndexProcess(round.source.words, directory, start, join(folder, 'index.log'), {
    NODE_OPTIONS: `--import=${RECORD_STORE}`,
    LD_PRELOAD: round.recorder,
    POWER_CUT_ROOT: directory,
    POWER_CUT_RECORD: record,
    POWER_CUT_KEEP: keep,
  });
  let cuts = 0;
  try {
    if (random.next() < 0.8) await index.storeUp();
    const moments = Array.from({ length: Math.min(CUTS_A_ROUND, round.cuts) }, () =>
      random.between(0, Math.round(round.workMs / 2)),
    );
    for (const moment of moments) {
      await Promise.race([sleep(moment), index.exited]);
      const isOver = index.gone;
      await index.freeze();
      const atMs = Date.now() - index.startedAt;
      const layout = random.pick(['one', 'two'] as const);
      const seed = random.between(0, 2 ** 31);
      const copy = join(folder, `cut-${cuts}`);
      copyAfterCut({ directory, record, keep, layout, random: new SeededRandom(seed) }, copy);
      const outcome = await tryCopy({ directory: copy, flags, isCold }, round);
      round.onCut({ seed: round.seed, layout, atMs, directory: copy, ...outcome });
      if (outcome.wrong.length === 0) rmSync(copy, { recursive: true, force: true });
      cuts++;
      index.thaw();
      if (isOver) break;
    }
  } finally {
    index.thaw();
    await index.end();
  }
  return cuts;
}

interface Copy {
  readonly directory: string;
  readonly flags: readonly string[];
  readonly isCold: boolean;
}

/** Verify, the repair command after problems, a server that indexes the rest, verify, and every row. */
async function tryCopy({ directory, flags, isCold }: Copy, { source, truth }: CutRound) {
  const place = isCold ? placeOf(directory) : [];
  const wrong: string[] = [];
  let coldEpochs = 0;
  let coldParts = 0;
  const first = await verify(directory, ...place);
  const isRepaired = first.problems.length > 0;
  if (isRepaired) {
    const { problems, text } = await verify(directory, '--repair', ...place);
    if (problems.length > 0) wrong.push(`after the repair: ${problems.join('; ')} ${text}`);
  }
  const ended = await serveRest(directory, [...flags, ...(isCold ? movesTo(directory) : [])], source);
  if (ended !== '') wrong.push(ended);
  else {
    const last = await verify(directory, ...place);
    if (last.problems.length > 0) wrong.push(`at last: ${last.problems.join('; ')}`);
    const { picture: found, ...data } = await dataPicture(directory, 'served');
    ({ coldEpochs, coldParts } = data);
    for (const what of Object.keys({ ...truth, ...found }))
      if (truth[what] !== found[what]) wrong.push(`${what}: expected ${truth[what]}, found ${found[what]}`);
  }
  return { found: first.problems, isRepaired, coldEpochs, coldParts, wrong };
}

/** Runs a server until it has nothing left to do; how it failed, as text. */
async function serveRest(directory: string, flags: readonly string[], source: CrashSource): Promise<string> {
  const index = new IndexProcess(source.words, directory, flags, `${directory}.log`);
  try {
    const isServed = await Promise.race([
      endWhenServed(index, directory, source),
      sleep(SERVED_MS, null, { ref: false }),
    ]);
    if (!isServed) return `the server ${index.gone ? 'ended' : 'hangs'}: ${index.words}`;
    const { code } = await index.exited;
    return code === 0 ? '' : `the server ended with ${code}: ${index.words}`;
  } finally {
    await index.end();
  }
}

interface VerifyAnswer {
  readonly checks: readonly { name: string; problems: number; samples: readonly string[] }[];
}

async function verify(directory: string, ...more: string[]) {
  const { code, stdout, stderr } = await command(['verify', '--json', '--data', directory, ...more]);
  // Before the first append there is nothing to be verified.
  if (/contains no index/.test(stderr)) return { problems: [], text: '' };
  if (stdout === '')
    return {
      problems: [`verify ended with ${code}: ${stderr.trim().slice(-500)}`],
      text: stderr.slice(-2_000),
    };
  const { checks } = JSON.parse(stdout) as VerifyAnswer;
  const problems = checks
    .filter((check) => check.problems > 0)
    .map(({ name, samples }) => `${name}: ${samples[0]}`);
  return { problems, text: stderr.slice(-2_000) };
}

async function command(args: readonly string[]) {
  const running = startMain(args, { TONHOUSE_LOG_LEVEL: 'warn' });
  const timer = setTimeout(() => running.child.kill('SIGKILL'), SILENT_MS);
  running.child.stderr.on('data', () => timer.refresh());
  const code = await running.ended;
  clearTimeout(timer);
  return { code, ...running.text };
}
