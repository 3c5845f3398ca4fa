import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedTrace } from '../../scripts/conformance/trace-fixture.ts';
import { BenchError } from '../common/bench-error.ts';

/** CPU time of this thread in a round that shows the machine rather than the code. */
const WARM_UP_ROUNDS = 5;

/** Recorded traces of a folder (../shared/data/traces). */
export function readTraces(folder: string): RecordedTrace[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new BenchError(`${folder} has no recorded traces`);
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedTrace);
}

/** Result of a round, and the CPU time of this thread that it took. */
export interface Round<T> {
  readonly result: T;
  readonly microseconds: number;
}

/** Work on objects that were made beforehand, which is not counted. */
export function timed<T>(work: () => T): Round<T> {
  const start = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(start);
  return { result, microseconds: user + system };
}

/** Rounds until they have taken that much CPU time together; the first few are not counted. */
export function measure<T>(round: () => Round<T>, seconds: number): Round<T>[] {
  for (let warm = 0; warm < WARM_UP_ROUNDS; warm++) round();
  const rounds: Round<T>[] = [];
  for (let spent = 0; spent < seconds * 1e6; spent += rounds.at(-1)!.microseconds) rounds.push(round());
  return rounds;
}

/** Units a second of a core, over all rounds: the system may count CPU time in ticks longer than a round. */
export function perSecond<T>(rounds: readonly Round<T>[], units: number): number {
  const spent = rounds.reduce((sum, { microseconds }) => sum + microseconds, 0);
  return Math.round((units * rounds.length) / (spent / 1e6));
}
