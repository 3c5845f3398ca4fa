import { readFileSync } from 'node:fs';

/**
 * CPU time of a process, seconds, and its resident memory, bytes; null if the system does not report them (not Linux).
 */
export interface Usage {
  readonly cpu: number;
  readonly rss: number;
}

/** Linux counts CPU time of other processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const PAGE = 4_096;

export function readUsage(pid: number): Usage | null {
  if (process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpu = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return { cpu, rss: Number(fields[21]) * PAGE };
  } catch {
    return null;
  }
}

/** CPU time of processes for a piece of work, ms per unit; null if the system does not report it. */
export async function cpuPerUnit<T>(
  pids: Readonly<Record<string, number>>,
  work: () => Promise<T>,
  countUnits: (result: T) => number,
): Promise<{ readonly result: T; readonly cpuMs: Readonly<Record<string, number | null>> }> {
  const before = Object.values(pids).map((pid) => readUsage(pid)?.cpu);
  const result = await work();
  const cpuMs = Object.entries(pids).map(([name, pid], i) => {
    const [from, to] = [before[i], readUsage(pid)?.cpu];
    const spent = from === undefined || to === undefined ? null : ((to - from) * 1000) / countUnits(result);
    return [name, spent] as const;
  });
  return { result, cpuMs: Object.fromEntries(cpuMs) };
}

/** Memory over a run, MiB; `slope` in MiB a minute over the last half, by least squares. */
export interface MemorySummary {
  readonly start: number;
  readonly end: number;
  readonly median: number;
  readonly max: number;
  readonly slopeLastHalfPerMinute: number;
}

export interface UsageSummary {
  readonly cpuSeconds: number;
  readonly cores: number;
  readonly memory: MemorySummary;
}

const SAMPLE_MS = 250;

/** Samples processes, by name, until stopped. */
export class UsageSampler {
  readonly #pids: Readonly<Record<string, number>>;
  readonly #samples = new Map<string, { at: number; usage: Usage }[]>();
  readonly #timer: NodeJS.Timeout;

  constructor(pids: Readonly<Record<string, number>>) {
    this.#pids = pids;
    this.#sample();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  stop(): Record<string, UsageSummary | null> {
    clearInterval(this.#timer);
    this.#sample();
    return Object.fromEntries(
      Object.keys(this.#pids).map((name) => [name, summary(this.#samples.get(name) ?? [])]),
    );
  }

  #sample(): void {
    for (const [name, pid] of Object.entries(this.#pids)) {
      const usage = readUsage(pid);
      if (!usage) continue;
      const list = this.#samples.get(name) ?? [];
      list.push({ at: performance.now(), usage });
      this.#samples.set(name, list);
    }
  }
}

function summary(samples: readonly { at: number; usage: Usage }[]): UsageSummary | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return null;
  const cpuSeconds = last.usage.cpu - first.usage.cpu;
  const memory = samples.map(({ usage }) => usage.rss / 2 ** 20);
  const sorted = [...memory].sort((a, b) => a - b);
  return {
    cpuSeconds,
    cores: cpuSeconds / ((last.at - first.at) / 1000),
    memory: {
      start: Math.round(memory[0] ?? 0),
      end: Math.round(memory.at(-1) ?? 0),
      median: Math.round(sorted[sorted.length >> 1] ?? 0),
      max: Math.round(sorted.at(-1) ?? 0),
      slopeLastHalfPerMinute: slope(samples.slice(samples.length >> 1)),
    },
  };
}

function slope(samples: readonly { at: number; usage: Usage }[]): number {
  const points = samples.map(({ at, usage }) => [at / 60_000, usage.rss / 2 ** 20] as const);
  const mean = (i: 0 | 1) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const below = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return below === 0 ? 0 : Math.round((above / below) * 10) / 10;
}
