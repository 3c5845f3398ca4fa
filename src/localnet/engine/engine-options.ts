import { ConflictError } from '../../platform/errors/error-kinds.ts';

/** Options of localnet; plain data, so that they can be handed to the worker thread. */
export interface EngineOptions {
  /** Folder of the chain's state; created if missing. */
  readonly directory: string;
  /** Seed of keys, genesis and random seeds of blocks. */
  readonly seed: string;
  /** Shards of the basechain, 1 to 4. */
  readonly shards: number;
  readonly globalId: number;
  /** Unix time of the zerostates; null for the time of the first start. */
  readonly genesisUtime: number | null;
  /** Transactions of a block. */
  readonly limit: number;
  /** Seconds between blocks; null for the machine's clock. */
  readonly secondsPerBlock: number | null;
  /** Transactions a second that are made up. */
  readonly traffic: number;
  /** Files and folders of `--fork`; empty for a chain without a fork, or to continue any chain. */
  readonly fork: readonly string[];
  /** The network whose accounts are loaded when they are needed; null for none. */
  readonly origin: EngineOrigin | null;
}

/** The block of another network that a chain is forked from. */
export interface EngineOrigin {
  /** Root hash of the masterchain block, 32 bytes. */
  readonly rootHash: Uint8Array;
  /** Bag of the dictionary of its configuration. */
  readonly config: Uint8Array;
}

/** Not a number of shards that localnet can have. */
export class ShardCountError extends ConflictError {
  readonly found: number;

  constructor(found: number) {
    super(`localnet has 1 to 4 shards, not ${found}`);
    this.found = found;
  }
}

const HALF = 1n << 62n;
const QUARTER = 1n << 61n;

/** The shards that the basechain is split into, from left to right. */
export function targetShards(count: number): bigint[] {
  switch (count) {
    case 1:
      return [2n * HALF];
    case 2:
      return [HALF, 3n * HALF];
    case 3:
      return [QUARTER, 3n * QUARTER, 3n * HALF];
    case 4:
      return [QUARTER, 3n * QUARTER, 5n * QUARTER, 7n * QUARTER];
    default:
      throw new ShardCountError(count);
  }
}

/** Number of times that the basechain is split for so many shards. */
export function splitDepth(count: number): number {
  return Math.ceil(Math.log2(count));
}
