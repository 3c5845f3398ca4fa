import { SeededRandom } from '../../contract/log/seeded-random.ts';

/**
 * Killed process: only the replay (a store that it started ends shortly after), only the store, both at once, or the
 * process that follows the head.
 */
export const VICTIMS = ['replay', 'store', 'both', 'head'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Kill {
  readonly victim: Victim;
  /** The store is up, or the first batch is written. */
  readonly anchor: 'store' | 'batch';
  /** After the anchor. */
  readonly delayMs: number;
}

/** How a directory is indexed, how it is replayed, and who is killed when: all from the seed. */
export interface KillPlan {
  readonly seed: number;
  readonly index: { readonly epochSize: number; readonly lanes: number; readonly batchRows: number };
  /** Flags of `tonhouse replay`. */
  readonly flags: readonly string[];
  readonly kills: readonly Kill[];
}

const ALONE: readonly Victim[] = ['replay', 'replay', 'both', 'both', 'store'];
const BESIDE_HEAD: readonly Victim[] = ['replay', 'replay', 'both', 'store', 'head'];

/** Share of the kills that fall while rows are written, and how long that is, about. */
const WHILE_WRITING = 0.7;
const WRITING_MS = 3_000;

export interface KillPlanOptions {
  readonly kills: number;
  /** How long an undisturbed replay works once its store is up, about. */
  readonly workMs: number;
  readonly besideHead: boolean;
}

export function killPlan(seed: number, { kills, workMs, besideHead }: KillPlanOptions): KillPlan {
  const random = new SeededRandom(seed);
  const flags = {
    lanes: random.between(1, 4),
    'batch-rows': random.pick([10, 20, 40, 80]),
    'decode-workers': random.between(0, 1),
    // Longer than a busy machine stops a process: a lease that lapses by itself ends a replay.
    'session-ms': 4_000,
  };
  return {
    seed,
    index: {
      epochSize: random.pick([3, 7, 10, 25, 1_000]),
      lanes: random.pick([1, 2, 4]),
      batchRows: random.between(20, 200),
    },
    flags: Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    kills: Array.from({ length: kills }, () => {
      const anchor = random.next() < WHILE_WRITING ? 'batch' : 'store';
      const mostMs = anchor === 'batch' ? WRITING_MS : workMs;
      const victim = random.pick(besideHead ? BESIDE_HEAD : ALONE);
      return { victim, anchor, delayMs: random.between(0, mostMs) };
    }),
  };
}
