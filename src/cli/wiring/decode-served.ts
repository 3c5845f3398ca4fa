import { setTimeout as sleep } from 'node:timers/promises';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { type DecodeStageOptions, runDecode } from '../../stages/decode/decode-stage.ts';
import { type DecodeParts, type DecodeSettings, decodeOptions } from './decode.ts';
import { servedVersion } from './projection.ts';

/** How often what follows the head looks which version it is to write. */
const LOOK_MS = 500;

export interface ServedWatch extends Pick<DecodeStageOptions, 'onBatch'> {
  /** Before a version is written. */
  readonly onVersion?: (version: number) => void;
}

/**
 * The stage `decode` for the version that is served: when the pointer moves, it finishes its batches, and goes on where
 * the consumer group of the other version is. Runs until `signal` aborts, or throws what stopped it.
 */
export async function decodeServed(
  parts: DecodeParts,
  settings: DecodeSettings,
  watch: ServedWatch,
  signal: AbortSignal,
): Promise<void> {
  const { client, identity, log } = parts;
  const onFailure = (error: unknown, pauseMs: number) =>
    log.warn({ error, pauseMs }, 'the store does not answer; trying again');
  while (!signal.aborted) {
    const version = await patiently(() => servedVersion(client, identity), { signal, onFailure });
    watch.onVersion?.(version);
    const moved = new AbortController();
    const stop = AbortSignal.any([signal, moved.signal]);
    const options = await decodeOptions({ ...parts, version, signal: stop }, settings, watch);
    const looking = whenMoved(parts, version, stop, moved);
    try {
      await runDecode(options, stop);
    } finally {
      moved.abort();
      await looking;
    }
    if (!signal.aborted) log.info({ before: version }, 'another version is served: the head goes there');
  }
}

/** Aborts `moved` when another version is served; a store that is away is asked again. */
async function whenMoved(
  { client, identity }: DecodeParts,
  version: number,
  stop: AbortSignal,
  moved: AbortController,
): Promise<void> {
  while (!stop.aborted) {
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    // What is wrong with the store is met, and said, by who writes to it.
    const served = await servedVersion(client, identity).catch(() => version);
    if (served !== version) moved.abort();
  }
}
