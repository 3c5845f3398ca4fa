import { residentMegabytes } from '../common/resident-memory.ts';

const POLL_INTERVAL_MS = 250;

/** Highest resident memory by role, megabytes. */
export type MemoryPeaks = Readonly<Record<string, number>>;

/** Samples the resident memory of processes, as Linux reports it, and keeps the maximum of each role. */
export class MemoryWatch {
  readonly #peaks = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(processes: () => Iterable<readonly [role: string, pid: number | null]>) {
    this.#timer = setInterval(() => {
      for (const [role, pid] of processes()) {
        const megabytes = pid === null ? null : residentMegabytes(pid);
        if (megabytes !== null) this.#peaks.set(role, Math.max(megabytes, this.#peaks.get(role) ?? 0));
      }
    }, POLL_INTERVAL_MS);
  }

  stop(): MemoryPeaks {
    clearInterval(this.#timer);
    return Object.fromEntries(this.#peaks);
  }
}
