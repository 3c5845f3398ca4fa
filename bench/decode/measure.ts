import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { note } from '../common/report.ts';

/** Work to be measured. */
export interface Method {
  readonly name: string;
  /** Does the work so many times. */
  readonly run: (rounds: number) => void | Promise<void>;
  /** Rounds of one measurement: fast methods need several, so that it is long against the clock's grain. */
  readonly rounds: number;
}

/** Medians of CPU time (all threads of the process) and of time passed, milliseconds for one round. */
export interface Times {
  readonly cpu: number;
  readonly wall: number;
}

setFlagsFromString('--expose-gc');
/** Collects all garbage: a method that makes much of it is not to be paid for by the one that comes after. */
const collectGarbage = runInNewContext('gc') as () => void;

/** One method after the other in every repeat, so that a change of the machine's pace meets all of them. */
export async function measure(methods: readonly Method[], repeat: number): Promise<Map<string, Times>> {
  const found = new Map(methods.map(({ name }) => [name, { cpu: [] as number[], wall: [] as number[] }]));
  for (let i = -1; i < repeat; i++) {
    for (const { name, run, rounds } of methods) {
      collectGarbage();
      const [cpu, wall] = [cpuMs(), performance.now()];
      await run(rounds);
      const times = found.get(name);
      // The first repeat is for warming up.
      if (i < 0) continue;
      times?.cpu.push((cpuMs() - cpu) / rounds);
      times?.wall.push((performance.now() - wall) / rounds);
    }
    note(`${i + 1} of ${repeat} repeats`);
  }
  return new Map(
    [...found].map(([name, { cpu, wall }]) => [name, { cpu: median(cpu), wall: median(wall) }] as const),
  );
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}
