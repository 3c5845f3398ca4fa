import { type BlockIdExt, blockIdExtText, blockIdText, sameBlock } from '../block-id.ts';
import type { SourceBlock } from '../source.ts';
import { findDamage, namedBlocks } from './named-blocks.ts';
import type { Claim } from './rival-block-error.ts';

/** A block that names one of the claims. */
interface Voice {
  readonly by: Claim;
  /** The block that it names. */
  readonly named: BlockIdExt;
}

/** Evidence of a source's blocks for the ids that several of them claim; other ids are not kept. */
export class Evidence {
  /** By contested id: the blocks that name a block there. */
  private readonly voices = new Map<string, Voice[]>();
  /** By claim: the blocks that it names. */
  private readonly named = new Map<string, readonly BlockIdExt[]>();
  /** By claim: its own defect. */
  private readonly damages = new Map<string, string | null>();

  /** `isContested`: of a block's id as `blockIdText` writes it. */
  static async gather(
    blocks: AsyncIterable<SourceBlock>,
    isContested: (key: string) => boolean,
  ): Promise<Evidence> {
    const evidence = new Evidence();
    for await (const block of blocks) evidence.hear(block, isContested);
    return evidence;
  }

  /** Blocks that name a block at the id of a claim. */
  voicesAt(id: BlockIdExt): readonly Voice[] {
    return this.voices.get(blockIdText(id)) ?? [];
  }

  namedBy(id: BlockIdExt): readonly BlockIdExt[] {
    return this.named.get(blockIdExtText(id)) ?? [];
  }

  getDamage(id: BlockIdExt): string | null {
    return this.damages.get(blockIdExtText(id)) ?? null;
  }

  private hear(block: SourceBlock, isContested: (key: string) => boolean): void {
    const { id, origin } = block;
    const damage = isContested(blockIdText(id)) ? findDamage(block) : null;
    const names = tryNames(block);
    if (isContested(blockIdText(id))) {
      if (this.damages.has(blockIdExtText(id))) return;
      this.damages.set(blockIdExtText(id), damage);
      this.named.set(blockIdExtText(id), names);
    }
    const heard = names.filter((name) => isContested(blockIdText(name)));
    // A block that contradicts itself proves nothing of others.
    if (heard.length === 0 || (damage ?? findDamage(block)) !== null) return;
    for (const named of heard) {
      const known = this.voices.get(blockIdText(named)) ?? [];
      if (!known.some(({ by }) => sameBlock(by.id, id))) known.push({ by: { id, origin }, named });
      this.voices.set(blockIdText(named), known);
    }
  }
}

function tryNames(block: SourceBlock): readonly BlockIdExt[] {
  try {
    return namedBlocks(block);
  } catch {
    // On any error: a block that cannot be read names nothing, and its damage is found by decoding.
    return [];
  }
}
