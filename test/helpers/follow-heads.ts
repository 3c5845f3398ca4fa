import { allCaughtUp, followHead } from '../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { REPLAY_SETTINGS, type ReplayStore } from './replay-store.ts';

/** Makes rows of all that the log holds, by every projection; then it stops. */
export async function followHeads(
  store: ReplayStore,
  projections: readonly TableProjection[],
  batchRows: number = REPLAY_SETTINGS.batchRows,
): Promise<void> {
  await prepareStore(store.parts.client, store.identity, projections);
  const stop = new AbortController();
  const settings = { ...REPLAY_SETTINGS, batchRows };
  const heads = projections.map((projection) =>
    followHead({ ...store.parts, projection, owner: 'run' }, settings, { onBatch() {} }, stop.signal),
  );
  const running = Promise.all(heads.map((head) => head.running));
  await Promise.race([allCaughtUp(heads), running]);
  stop.abort();
  await running;
}
