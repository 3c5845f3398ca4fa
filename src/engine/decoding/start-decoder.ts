import { availableParallelism } from 'node:os';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { DecoderSettings } from '../engine-parts.ts';
import type { ProjectionFacts } from '../projection/projection.ts';
import type { ChunkDecoder } from './chunk.ts';
import type { DecoderModule } from './decode-worker.ts';
import { LocalDecoder } from './local-decoder.ts';
import { PooledDecoder } from './pooled-decoder.ts';

const MAX_WORKERS = 8;

/** Threads that decode, for all projections. One core is left to the store; more than a few threads are faster than any store. */
export function workerCount(setting: number | 'auto' | undefined): number {
  if (typeof setting === 'number') return setting;
  return Math.max(1, Math.min(availableParallelism() - 1, MAX_WORKERS));
}

/** As `startDecoder`, for records whose rows go to the store: the decoder knows what the store has taken in since. */
export async function startStoreDecoder(
  parts: Parameters<typeof startDecoder>[0] & { readonly client: StoreClient },
  settings: DecoderSettings,
): Promise<ChunkDecoder> {
  const { inStore } = parts.projection.decoder;
  const identity = inStore ? await inStore(parts.client, parts.identity) : parts.identity;
  return startDecoder({ ...parts, identity }, settings);
}

/** Starts the projection's decoder of the log's records, on threads that decode or the caller's; to be closed. */
export async function startDecoder(
  { projection, identity, log }: { projection: ProjectionFacts; identity: LogIdentity; log: Log },
  settings: DecoderSettings,
): Promise<ChunkDecoder> {
  const { module, buildOptions } = projection.decoder;
  const workers = workerCount(settings.decodeWorkers);
  const options = buildOptions(identity, { ...settings, threads: Math.max(1, workers) });
  const onCrash = (text: string) => log.warn({ stage: projection.group }, text);
  if (workers > 0) return PooledDecoder.start({ module, options, workers, onWorkerCrash: onCrash });
  const { createDecoder } = (await import(module)) as DecoderModule;
  return new LocalDecoder(await createDecoder(options), onCrash);
}
