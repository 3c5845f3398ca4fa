import { mib, printTable } from '../common/report.ts';
import type { EngineName } from './engine-list.ts';
import type { EnginesOptions } from './engines-options.ts';
import type { EngineFigures } from './measure-engine.ts';
import type { SecondProcess } from './try-second-process.ts';

/** Figures of an engine, or why it has none. */
export type EngineOutcome = EngineFigures | { readonly error: string };

const NO_VALUE = '–';

const MEASURES: readonly (readonly [title: string, read: (figures: EngineFigures) => string | number])[] = [
  ['keys inserted', ({ inserts }) => inserts.keys],
  ['stopped by --minutes', ({ inserts }) => (inserts.isStopped ? 'yes' : 'no')],
  ['inserts/s, first tenth', ({ inserts }) => inserts.tenths[0] ?? NO_VALUE],
  ['inserts/s, last million', ({ inserts }) => inserts.lastMillion],
  ['inserts/s, all', ({ inserts }) => Math.round(inserts.keys / inserts.seconds)],
  ['waits for a processor, share', ({ inserts }) => inserts.waited],
  ['slowest batch, ms', ({ inserts }) => inserts.slowestBatch],
  ['CPU for each insert, µs', ({ inserts }) => inserts.cpu],
  ['  of it to make the row', ({ inserts }) => inserts.makingCpu],
  ['bytes written for each insert', ({ inserts }) => inserts.written ?? NO_VALUE],
  ['bytes on disk for each key', ({ diskPerKey }) => diskPerKey],
  ['peak resident memory, MiB', ({ inserts }) => mib(inserts.peakMemory)],
  ['merges before the reads, s', ({ mergeSeconds }) => mergeSeconds],
  ['reads/s, present keys', ({ present }) => present.perSecond],
  ['  with waits for a processor', ({ present }) => present.perSecondWithWaits],
  ['p50, µs', ({ present }) => present.p50],
  ['p99, µs', ({ present }) => present.p99],
  ['CPU for each read, µs', ({ present }) => present.cpu],
  ['bytes from the disk for each read', ({ present }) => present.fromDisk ?? NO_VALUE],
  ['reads/s, absent keys', ({ absent }) => absent.perSecond],
  ['  with waits, absent', ({ absent }) => absent.perSecondWithWaits],
  ['p50 absent, µs', ({ absent }) => absent.p50],
  ['p99 absent, µs', ({ absent }) => absent.p99],
  ['batches committed before kills', ({ kills }) => kills.committed],
  ['committed batches lost', ({ kills }) => kills.lost],
  ['batches in part', ({ kills }) => kills.partial],
  ['second process can read', ({ secondProcess }) => toAnswer(secondProcess)],
  ['limit of memory', ({ limit }) => limit ?? 'none'],
];

/** Prints a column for each engine, or one JSON object. */
export function printEngines(
  outcomes: ReadonlyMap<EngineName, EngineOutcome>,
  { keys, memoryMb, minutes, json }: EnginesOptions,
): void {
  if (json) {
    const engines = Object.fromEntries(outcomes);
    process.stdout.write(`${JSON.stringify({ keys, memoryMb, minutes, engines })}\n`);
    return;
  }
  const list = [...outcomes];
  printTable(
    `${keys.toLocaleString('en')} keys, ${memoryMb} MiB, at most ${minutes} minutes`,
    ['', ...list.map(([name]) => name)],
    MEASURES.map(([title, read]) => [
      title,
      ...list.map(([, outcome]) => ('error' in outcome ? NO_VALUE : read(outcome))),
    ]),
  );
  for (const [name, outcome] of list) {
    if ('error' in outcome) console.log(`  ${name}: ${outcome.error}`);
    else if (typeof outcome.secondProcess === 'object')
      console.log(`  ${name}, second process: ${outcome.secondProcess.error}`);
  }
}

function toAnswer(second: SecondProcess): string {
  if (second === 'later') return 'yes';
  return second === 'earlier' ? 'not later batches' : 'no';
}
