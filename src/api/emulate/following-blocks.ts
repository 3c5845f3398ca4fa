import type { DetachedBlock } from '../../ton/decode/detached-transaction.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';

/** Top block of a shard. */
export interface ShardTop {
  readonly workchain: number;
  /** Unsigned, with its closing bit. */
  readonly shard: bigint;
  readonly seqno: number;
}

/** A masterchain block, and what blocks after it go on from. */
export interface ChainPoint {
  readonly mcSeqno: number;
  readonly utime: number;
  /** Above the lt of all that the block and its shards have. */
  readonly endLt: bigint;
  /** The top blocks of all shards, the masterchain's among them. */
  readonly shards: readonly ShardTop[];
}

/** Blocks begin at a multiple of it (`Collator::init_lt` of the reference node). */
const LT_STEP = 1_000_000n;
const ALL_BITS = (1n << 64n) - 1n;

/** The blocks that would follow upon a masterchain block: one of each shard a step, a second apart. */
export class FollowingBlocks {
  private readonly from: ChainPoint;
  private steps = 0;
  /** lt that the transactions of the step begin at. */
  startLt = 0n;

  constructor(from: ChainPoint) {
    this.from = from;
  }

  /** Unix time of the step's blocks. */
  get utime(): number {
    return this.from.utime + this.steps;
  }

  /** Goes on to the next step; `endLt` is above the lt of all that the step before has. */
  next(endLt = this.from.endLt): void {
    this.steps++;
    this.startLt = ((endLt + LT_STEP - 1n) / LT_STEP) * LT_STEP;
  }

  /** The step's block of an account; null if no shard has it. */
  findBlock(account: AccountAddress): DetachedBlock | null {
    const found = this.from.shards.find((top) => hasAccount(top, account));
    if (!found) return null;
    const { workchain, shard, seqno } = found;
    return { workchain, shard, seqno: seqno + this.steps, mcSeqno: this.from.mcSeqno + this.steps };
  }
}

/** Whether the bits of a shard above its closing bit are the first of an account's address. */
function hasAccount({ workchain, shard }: ShardTop, account: AccountAddress): boolean {
  if (workchain !== account.workchain) return false;
  const { address } = account;
  const prefix = new DataView(address.buffer, address.byteOffset, address.length).getBigUint64(0);
  const closing = shard & -shard;
  return ((prefix ^ shard) & ALL_BITS & -(closing << 1n)) === 0n;
}
