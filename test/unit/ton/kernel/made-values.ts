import { type Builder, beginCell, type Cell } from '@ton/core';
import type { SeededRandom } from '../../../helpers/seeded-random.ts';

/** Writes random values of the TL-B types that many others hold. */
export class ValueMaker {
  protected readonly random: SeededRandom;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  /** Random values may be too many for a cell: they are built again until they fit. */
  protected fitting(make: () => Cell): Cell {
    for (let tries = 1; ; tries++) {
      try {
        return make();
      } catch (error) {
        if (tries === 1000) throw error;
      }
    }
  }

  protected chance(): boolean {
    return this.random.below(2) === 1;
  }

  protected bits(builder: Builder, count: number): Builder {
    for (let i = 0; i < count; i++) builder.storeBit(this.chance());
    return builder;
  }

  protected maybe(builder: Builder, store: (builder: Builder) => void): void {
    const isThere = this.chance();
    builder.storeBit(isThere);
    if (isThere) store(builder);
  }

  protected varUint(builder: Builder, lengthBits: number, most: number): Builder {
    const size = this.random.below(most + 1);
    return this.bits(builder.storeUint(size, lengthBits), size * 8);
  }

  protected coins(builder: Builder): Builder {
    return this.varUint(builder, 4, 15);
  }

  /** Up to two entries: the ids 0… and 2^31…, which part at the first bit; null for none. */
  protected currencyDict(): Cell | null {
    const leaf = (keyBits: number) => {
      const width = keyBits === 32 ? 6 : 5;
      const label = beginCell().storeUint(0b10, 2).storeUint(keyBits, width);
      return this.varUint(this.bits(label, keyBits), 5, 31).endCell();
    };
    const count = this.random.below(3);
    if (count === 0) return null;
    return count === 1
      ? leaf(32)
      : beginCell().storeUint(0, 2).storeRef(leaf(31)).storeRef(leaf(31)).endCell();
  }

  protected currencies(builder: Builder): Builder {
    return this.coins(builder).storeMaybeRef(this.currencyDict());
  }

  protected externalAddress(builder: Builder): void {
    if (this.chance()) {
      builder.storeUint(0, 2);
      return;
    }
    const bits = this.random.below(120);
    this.bits(builder.storeUint(1, 2).storeUint(bits, 9), bits);
  }

  protected internalAddress(builder: Builder): void {
    const isVar = this.random.oneIn(3);
    builder.storeUint(isVar ? 3 : 2, 2);
    this.maybe(builder, () => {
      const depth = 1 + this.random.below(30);
      this.bits(builder.storeUint(depth, 5), depth);
    });
    if (!isVar) {
      this.bits(builder, 8 + 256);
      return;
    }
    const bits = this.random.below(300);
    this.bits(this.bits(builder.storeUint(bits, 9), 32), bits);
  }

  protected stateInit(builder: Builder): void {
    this.maybe(builder, () => this.bits(builder, 5));
    this.maybe(builder, () => this.bits(builder, 2));
    for (let i = 0; i < 3; i++) this.maybe(builder, () => builder.storeRef(this.tree(2)));
  }

  /** A tree in which equal cells are likely. */
  protected tree(depth: number): Cell {
    const builder = this.bits(
      beginCell(),
      this.random.oneIn(3) ? 8 * this.random.below(30) : this.random.below(3),
    );
    const refs = depth === 0 ? 0 : this.random.below(4);
    for (let i = 0; i < refs; i++) builder.storeRef(this.tree(depth - 1));
    return builder.endCell();
  }

  protected hash(): Buffer {
    return Buffer.from(Uint8Array.from({ length: 32 }, () => this.random.below(256)));
  }

  /** As a state update shows a cell that it leaves out. */
  protected pruned(hash: Buffer, depth: number): Cell {
    const branch = beginCell().storeUint(1, 8).storeUint(1, 8).storeBuffer(hash).storeUint(depth, 16);
    return branch.endCell({ exotic: true });
  }
}
