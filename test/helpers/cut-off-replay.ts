import type { EngineParts } from '../../src/engine/engine-parts.ts';
import type { ReplaySettings } from '../../src/engine/replay/build.ts';
import type { ReplayRange } from '../../src/engine/replay/plan.ts';
import { type ReplayOutcome, type ReplayWatch, runReplay } from '../../src/engine/replay/run.ts';
import { REPLAY_SETTINGS, type ReplayStore } from './replay-store.ts';

/** The test cut it off. */
class CutOff extends Error {
  override readonly name = 'CutOff';
}

/** A source of chance. */
interface Chance {
  between(low: number, high: number): number;
}

/** One of so many cuts comes after the writing: during the merges, the catch-up with the head, or the check. */
const LATE = 3;
const STEPS = 3;

/**
 * A replay that is interrupted `cuts` times, during its writes or after them, and restarted by another process each
 * time.
 */
export async function cutOffReplay(
  store: ReplayStore,
  parts: EngineParts,
  range: ReplayRange,
  random: Chance,
  cuts: number,
  settings: ReplaySettings = REPLAY_SETTINGS,
): Promise<{ readonly outcome: ReplayOutcome; readonly cutOff: number }> {
  const order = { range, accept: async () => true };
  let cutOff = 0;
  for (let run = 0; ; run++) {
    const cut = new AbortController();
    const watch = run < cuts ? cuttingWatch(cut, random) : quietly;
    const owner = `replay-${run}`;
    try {
      const session = store.session(owner, cut.signal);
      const own = { ...parts, owner, signal: cut.signal };
      return { outcome: await runReplay({ parts: own, settings, scope: session, watch }, order), cutOff };
    } catch (error) {
      if (!(error instanceof CutOff)) throw error;
      cutOff++;
    }
  }
}

const quietly: ReplayWatch = { onPlan() {}, onStep() {}, onBatch() {} };

function cuttingWatch(cut: AbortController, random: Chance): ReplayWatch {
  const isLate = random.between(1, LATE) === 1;
  const batch = isLate ? 0 : random.between(1, 2);
  // If fewer batches remain, it is interrupted after the last one.
  const step = isLate ? random.between(1, STEPS) : 1;
  const seen = { batches: 0, steps: 0 };
  return {
    onPlan() {},
    // Others are being inserted at this moment.
    onBatch: () => {
      if (++seen.batches === batch) cut.abort(new CutOff());
    },
    onStep: () => {
      if (++seen.steps === step) cut.abort(new CutOff());
    },
  };
}
