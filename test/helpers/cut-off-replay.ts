import type { DecodeParts } from '../../src/cli/wiring/decode.ts';
import type { ReplayRange } from '../../src/cli/wiring/replay-plan.ts';
import { type ReplayOutcome, type ReplayWatch, runReplay } from '../../src/cli/wiring/replay-run.ts';
import { quietWatch, REPLAY_SETTINGS, type ReplayStore } from './replay-store.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The test cut it off. */
class CutOff extends Error {
  override readonly name = 'CutOff';
}

/** A replay that is cut off `cuts` times in the middle of its writes, and begun again by another process each time. */
export async function cutOffReplay(
  store: ReplayStore,
  parts: DecodeParts,
  range: ReplayRange,
  random: SeededRandom,
  cuts: number,
): Promise<{ readonly outcome: ReplayOutcome; readonly cutOff: number }> {
  const order = { projection: 'base', range, accept: async () => true };
  let cutOff = 0;
  for (let run = 0; ; run++) {
    const cut = new AbortController();
    const last = run < cuts ? 1 + random.below(2) : Number.POSITIVE_INFINITY;
    let batches = 0;
    const watch: ReplayWatch = {
      ...quietWatch,
      // Others are being inserted at this moment.
      onBatch: () => {
        if (++batches >= last) cut.abort(new CutOff());
      },
    };
    const owner = `replay-${run}`;
    try {
      const session = store.session(owner, cut.signal);
      const outcome = await runReplay(
        { ...parts, owner, signal: cut.signal },
        REPLAY_SETTINGS,
        order,
        session,
        watch,
      );
      return { outcome, cutOff };
    } catch (error) {
      if (!(error instanceof CutOff)) throw error;
      cutOff++;
    }
  }
}
