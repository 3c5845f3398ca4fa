import type { EngineOptions } from '../../../src/localnet/engine/engine-options.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';

export const GENESIS_UTIME = 1_750_000_000;

/** Options of a chain in a folder, with a clock that only blocks move. */
export function engineOptions(directory: string, options: Partial<EngineOptions> = {}): EngineOptions {
  return {
    seed: 'test',
    shards: 1,
    globalId: LOCALNET_GLOBAL_ID,
    genesisUtime: GENESIS_UTIME,
    limit: 2_000,
    secondsPerBlock: 5,
    traffic: 0,
    fork: [],
    origin: null,
    ...options,
    directory,
  };
}
