import { SeededRandom } from '../../contract/log/seeded-random.ts';

/** Faults of a running index. `index`, `store`: kill -9; `stop`: SIGTERM; `pause` freezes it past its leases. */
export const FAULTS = ['index', 'store', 'stop', 'pause'] as const;
export type FaultKind = (typeof FAULTS)[number];

/** A fault, `delayMs` after its anchor: the start of the process, its store being up, or the fault before. */
export interface Fault {
  readonly kind: FaultKind;
  readonly anchor: 'start' | 'store' | 'fault';
  readonly delayMs: number;
}

/** One data directory: how it is indexed and what happens to it, all from the seed. */
export interface CrashPlan {
  readonly seed: number;
  readonly flags: readonly string[];
  readonly sessionMs: number;
  /** Endless: the run ends when the index does, or when it has had its share of faults. */
  next(first: boolean): Fault;
  readonly faults: number;
}

/** By weight; `store` and `pause` leave the process running, so that more of them fall to one process. */
const KINDS: readonly FaultKind[] = [...Array<FaultKind>(6).fill('index'), 'store', 'store', 'stop', 'pause'];

/**
 * Makes the plan of a seed. `workMs`: how long an undisturbed index works once its store is up. `session`: session of the
 * leases, ms. Default: chosen by the seed.
 */
export function crashPlan(seed: number, workMs: number, session?: number): CrashPlan {
  const random = new SeededRandom(seed);
  const chosen = random.between(1_000, 2_000);
  const sessionMs = session ?? chosen;
  const flags = {
    'batch-rows': random.between(20, 200),
    'batch-ms': 0,
    'epoch-size': random.pick([1, 5, 10, 10, 25, 1_000]),
    lanes: random.pick([1, 2, 4, 4, 8]),
    'session-ms': sessionMs,
  };
  return {
    seed,
    sessionMs,
    flags: Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    faults: random.between(3, 9),
    next(first) {
      const kind = random.pick(KINDS);
      if (!first) return { kind, anchor: 'fault', delayMs: random.between(0, 3_000) };
      if (kind !== 'store' && random.next() < 0.2)
        return { kind, anchor: 'start', delayMs: random.between(0, 1_500) };
      return { kind, anchor: 'store', delayMs: random.between(0, Math.round(workMs * 1.1)) };
    },
  };
}
