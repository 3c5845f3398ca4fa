import { numberKey } from '../../ton/cell/key-bits.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts';
import type { Emulator } from '../../tvm/emulator.ts';
import { encodePrevBlocks, type PrevBlock } from '../../tvm/prev-blocks.ts';
import type { ChainConfig } from '../ledger/chain-config.ts';
import { type ChainState, lastKeySeqno } from '../ledger/chain-state.ts';
import { librariesText } from '../ledger/libraries.ts';
import { type ShardLedger, shardText } from '../ledger/shard-ledger.ts';
import type { IsKnown } from './block-draft.ts';
import { type DirectTerms, directTerms } from './direct/direct-terms.ts';

/** Number of masterchain blocks that contracts can look back on. */
const VISIBLE_BLOCKS = 16;
/** `capMsgMetadata` of the capabilities. */
const CAP_MSG_METADATA = 128n;

/** As `StepOrder`. */
interface ContextOrder {
  readonly seed: string;
  readonly utime: number;
  readonly limit: number;
  readonly gasLimit?: number;
  readonly isDirect?: boolean;
  readonly isKnown?: IsKnown;
}

/** Facts that all blocks of one masterchain step share. */
export class StepContext {
  readonly chain: ChainState;
  readonly emulator: Emulator;
  readonly utime: number;
  /** Transactions of a block. */
  readonly limit: number;
  readonly gasLimits: ChainConfig['gasLimits'];
  readonly withMetadata: boolean;
  /** `created_by`: the validator; in a chain without validators a constant without an owner. */
  readonly creator: Uint8Array;
  /** Makes transactions that need no TVM; null: the TVM makes all. */
  readonly direct: DirectTerms | null;
  /** As in `StepOrder`. */
  readonly isKnown: IsKnown;
  private readonly seed: string;
  private readonly prevBlocks: string;
  private readonly libraries: string | null;

  constructor(chain: ChainState, emulator: Emulator, order: ContextOrder) {
    const { seed, utime, limit, gasLimit = Number.POSITIVE_INFINITY, isDirect = false } = order;
    this.isKnown = order.isKnown ?? (() => true);
    const { gasLimits } = chain.extra.config;
    this.chain = chain;
    this.emulator = emulator;
    this.utime = utime;
    this.limit = limit;
    this.gasLimits = {
      masterchain: Math.min(gasLimits.masterchain, gasLimit),
      basechain: Math.min(gasLimits.basechain, gasLimit),
    };
    this.seed = seed;
    this.withMetadata = (chain.extra.config.version.capabilities & CAP_MSG_METADATA) !== 0n;
    this.creator = chain.extra.config.validators?.set.list[0]?.publicKey ?? digest(`${seed}|creator`);
    this.direct = isDirect ? directTerms(chain.extra.config, utime) : null;
    this.prevBlocks = encodePrevBlocks({ last: visibleBlocks(chain), key: keyBlock(chain) });
    this.libraries = librariesText(chain.masterchain.libraries);
  }

  /** Sets the emulator to the next block of a shard. @returns its random seed */
  enter({ ident, block }: ShardLedger): Uint8Array {
    const randomSeed = digest(`${this.seed}|${shardText(ident)}|${block.seqno + 1}`);
    const { utime: now, prevBlocks, libraries } = this;
    this.emulator.enter({ config: this.chain.extra.config.text, now, randomSeed, prevBlocks, libraries });
    return randomSeed;
  }
}

function digest(text: string): Uint8Array {
  return sha256(new TextEncoder().encode(text));
}

/** The masterchain blocks that contracts can look back on, newest first. */
export function visibleBlocks({ masterchain, extra }: ChainState): PrevBlock[] {
  const blocks: ExtBlkRef[] = [masterchain.block];
  for (let seqno = masterchain.block.seqno - 1; seqno >= 0 && blocks.length < VISIBLE_BLOCKS; seqno--)
    blocks.push(extra.oldBlocks.get(numberKey(seqno, 32))!);
  return blocks;
}

/** The last key block as contracts see it; the zerostate counts as one. */
export function keyBlock(chain: ChainState): PrevBlock {
  const { masterchain, extra } = chain;
  const seqno = lastKeySeqno(chain);
  return seqno === masterchain.block.seqno ? masterchain.block : extra.oldBlocks.get(numberKey(seqno, 32))!;
}
