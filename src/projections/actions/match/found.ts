import { needed } from '../body/refusal.ts';
import type { Block } from '../tree/block.ts';

/** Blocks that an attempt has collected, and those that patterns have named. */
export class Found {
  readonly blocks: Block[] = [];
  private names: Map<string, Block[]> | null = null;

  /** The first block of this name, or null. */
  maybe(label: string): Block | null {
    return this.names?.get(label)?.[0] ?? null;
  }

  /**
   * The first block of this name.
   * @throws Refusal
   */
  get(label: string): Block {
    return needed(this.maybe(label), label);
  }

  /** All blocks of this name, each before those below it. */
  all(label: string): readonly Block[] {
    return this.names?.get(label) ?? [];
  }

  /** Takes over what a part of the attempt has found. */
  add(other: Found): void {
    this.blocks.push(...other.blocks);
    this.addNames(other);
  }

  /** Takes over only the names: their blocks were merged by a build. */
  addNames(other: Found): void {
    for (const [label, blocks] of other.names ?? []) for (const block of blocks) this.name(label, block);
  }

  /** Names a block, in front of those that were found below it. */
  nameFirst(label: string, block: Block): void {
    this.names ??= new Map();
    this.names.set(label, [block, ...(this.names.get(label) ?? [])]);
  }

  private name(label: string, block: Block): void {
    this.names ??= new Map();
    const blocks = this.names.get(label);
    if (blocks) blocks.push(block);
    else this.names.set(label, [block]);
  }
}
