import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { isColdRound } from '../common/cold-folder.ts';

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
  /** Newest epochs whose raw blocks stay in the store; 0: all of them, and nothing is sealed. */
  readonly hotEpochs: number;
  /** True: old parts of tables move to a cold folder. */
  readonly isCold: boolean;
  /** Endless: the run ends when the index does, or when it has had its share of faults. */
  next(first: boolean): Fault;
  readonly faults: number;
}

/** By weight; `store` and `pause` leave the process running, so that more of them fall to one process. */
const KINDS: readonly FaultKind[] = [...Array<FaultKind>(6).fill('index'), 'store', 'store', 'stop', 'pause'];

/** What the seed of a plan would choose otherwise. */
export interface PlanOptions {
  /** How long an undisturbed index works once its store is up. */
  readonly workMs: number;
  /** Session of the leases, ms. */
  readonly sessionMs?: number | undefined;
  readonly hotEpochs?: number | undefined;
  readonly isCold?: boolean | undefined;
}

/** Numbers of newest epochs that stay in the store: of most runs, old epochs become cold. */
const HOT_EPOCHS: readonly number[] = [0, 1, 1, 2];

/** Makes the plan of a seed. */
export function crashPlan(
  seed: number,
  { workMs, sessionMs: session, hotEpochs: hot, isCold }: PlanOptions,
): CrashPlan {
  const random = new SeededRandom(seed);
  // By numbers of its own: the faults of a seed do not depend on it.
  const hotEpochs = hot ?? new SeededRandom(~seed).pick(HOT_EPOCHS);
  const chosen = random.between(1_000, 2_000);
  const sessionMs = session ?? chosen;
  const flags = {
    'batch-rows': random.between(20, 200),
    'batch-ms': 0,
    'epoch-size': random.pick([1, 5, 10, 10, 25, 1_000]),
    lanes: random.pick([1, 2, 4, 4, 8]),
    'session-ms': sessionMs,
    'hot-epochs': hotEpochs,
  };
  return {
    seed,
    sessionMs,
    hotEpochs,
    isCold: isCold ?? isColdRound(seed),
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
