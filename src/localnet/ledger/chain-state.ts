import type { MasterchainExtra } from './masterchain-extra.ts';
import type { ShardLedger } from './shard-ledger.ts';

/** The whole chain between two masterchain steps. Never changed: each step gives a new one. */
export interface ChainState {
  readonly masterchain: ShardLedger;
  readonly extra: MasterchainExtra;
  /** The shards of the basechain from left to right, each as its newest block left it. */
  readonly shards: readonly ShardLedger[];
}

/** Seqno of the last key block that a block made now knows of; the zerostate counts as one. */
export function lastKeySeqno({ masterchain, extra }: ChainState): number {
  return extra.afterKeyBlock ? masterchain.block.seqno : (extra.lastKeyBlock?.seqno ?? 0);
}
