/**
 * Makes blocks that no chain has recorded: every constructor of messages, addresses and transaction descriptions, at
 * random. Each has one account with one transaction after which the account is gone, so that nothing but the
 * transaction itself says what its hash is.
 */
import { type Builder, beginCell, type Cell } from '@ton/core';
import type { BlockMeta } from '../../../../src/ton/decode/block-meta.ts';
import type { SeededRandom } from '../../../helpers/seeded-random.ts';

const SHARD = 1n << 63n;
const NONE_HASH = beginCell().storeBit(0).endCell().hash();

/** Writes random values of TL-B types. */
export class BlockMaker {
  private readonly random: SeededRandom;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  /** A block's bytes and the ids that it is announced with (of its file and root hash only the latter is right). */
  makeBlock(): { bytes: Uint8Array; meta: BlockMeta } {
    const seqno = 2 + this.random.below(1000);
    const version = this.random.below(15);
    const root = beginCell()
      .storeUint(0x11ef55aa, 32)
      .storeInt(-239, 32)
      .storeRef(this.info(seqno, version))
      .storeRef(this.valueFlow())
      .storeRef(this.stateUpdate())
      .storeRef(this.extra())
      .endCell();
    const bytes = new Uint8Array(root.toBoc({ idx: this.chance(), crc32: this.chance() }));
    const hashes = { rootHash: new Uint8Array(root.hash()), fileHash: new Uint8Array(32) };
    return { bytes, meta: { workchain: 0, shard: SHARD, seqno, mcSeqno: 7, ...hashes } };
  }

  /** Random values may be too many for a cell: made anew until they fit. */
  private fitting(make: () => Cell): Cell {
    for (let tries = 1; ; tries++) {
      try {
        return make();
      } catch (error) {
        if (tries === 1000) throw error;
      }
    }
  }

  private chance(): boolean {
    return this.random.below(2) === 1;
  }

  private bits(builder: Builder, count: number): Builder {
    for (let i = 0; i < count; i++) builder.storeBit(this.chance());
    return builder;
  }

  private maybe(builder: Builder, store: (builder: Builder) => void): void {
    const isThere = this.chance();
    builder.storeBit(isThere);
    if (isThere) store(builder);
  }

  private varUint(builder: Builder, lengthBits: number, most: number): Builder {
    const size = this.random.below(most + 1);
    return this.bits(builder.storeUint(size, lengthBits), size * 8);
  }

  private coins(builder: Builder): Builder {
    return this.varUint(builder, 4, 15);
  }

  /** Up to two entries: the ids 0… and 2^31…, which part at the first bit. */
  private currencies(builder: Builder): Builder {
    this.coins(builder);
    const leaf = (keyBits: number) => {
      const width = keyBits === 32 ? 6 : 5;
      const label = beginCell().storeUint(0b10, 2).storeUint(keyBits, width);
      return this.varUint(this.bits(label, keyBits), 5, 31).endCell();
    };
    const count = this.random.below(3);
    builder.storeBit(count > 0);
    if (count === 1) builder.storeRef(leaf(32));
    if (count === 2)
      builder.storeRef(beginCell().storeUint(0, 2).storeRef(leaf(31)).storeRef(leaf(31)).endCell());
    return builder;
  }

  private externalAddress(builder: Builder): void {
    if (this.chance()) {
      builder.storeUint(0, 2);
      return;
    }
    const bits = this.random.below(120);
    this.bits(builder.storeUint(1, 2).storeUint(bits, 9), bits);
  }

  private internalAddress(builder: Builder): void {
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

  private stateInit(builder: Builder): void {
    this.maybe(builder, () => this.bits(builder, 5));
    this.maybe(builder, () => this.bits(builder, 2));
    for (let i = 0; i < 3; i++) this.maybe(builder, () => builder.storeRef(this.tree(2)));
  }

  /** A tree in which equal cells are likely. */
  private tree(depth: number): Cell {
    const builder = this.bits(
      beginCell(),
      this.random.oneIn(3) ? 8 * this.random.below(30) : this.random.below(3),
    );
    const refs = depth === 0 ? 0 : this.random.below(4);
    for (let i = 0; i < refs; i++) builder.storeRef(this.tree(depth - 1));
    return builder.endCell();
  }

  private message(): Cell {
    return this.fitting(() => this.makeMessage());
  }

  private makeMessage(): Cell {
    const builder = beginCell();
    const kind = this.random.below(3);
    if (kind === 0) {
      this.bits(builder.storeBit(0), 3);
      this.internalAddress(builder);
      this.internalAddress(builder);
    } else if (kind === 1) {
      builder.storeUint(0b10, 2);
      this.externalAddress(builder);
      this.internalAddress(builder);
      this.coins(builder);
    } else {
      builder.storeUint(0b11, 2);
      this.internalAddress(builder);
      this.externalAddress(builder);
    }
    if (kind === 0) this.coins(this.coins(this.currencies(builder)));
    if (kind !== 1) this.bits(builder, 64 + 32);
    return this.parts(builder).endCell();
  }

  /** Init and body, inline where there is room. */
  private parts(builder: Builder): Builder {
    this.maybe(builder, () => {
      const inline = builder.bits < 1023 - 20 && builder.refs === 0 && this.chance();
      builder.storeBit(!inline);
      const init = inline ? builder : beginCell();
      this.stateInit(init);
      if (!inline) builder.storeRef(init.endCell());
    });
    const byRef = builder.refs < 4 && this.chance();
    builder.storeBit(byRef);
    if (byRef) return builder.storeRef(this.tree(3));
    const room = 1023 - builder.bits;
    this.bits(builder, this.random.below(room + 1));
    for (let left = this.random.below(5 - builder.refs); left > 0; left--) builder.storeRef(this.tree(2));
    return builder;
  }

  private storagePhase(builder: Builder): void {
    this.coins(builder);
    this.maybe(builder, () => this.coins(builder));
    this.maybe(builder, () => this.bits(builder, 1));
  }

  private creditPhase(builder: Builder): void {
    this.maybe(builder, () => this.coins(builder));
    this.currencies(builder);
  }

  private computePhase(builder: Builder): void {
    if (this.chance()) {
      const reason = this.random.below(4);
      builder.storeBit(0);
      if (reason === 3) builder.storeUint(0b110, 3);
      else builder.storeUint(reason, 2);
      return;
    }
    this.coins(this.bits(builder.storeBit(1), 3));
    const details = this.varUint(this.varUint(beginCell(), 3, 7), 3, 7);
    this.maybe(details, () => this.varUint(details, 2, 3));
    this.bits(details, 8 + 32);
    this.maybe(details, () => this.bits(details, 32));
    builder.storeRef(this.bits(details, 32 + 512).endCell());
  }

  private actionPhase(builder: Builder): void {
    this.maybe(builder, () => {
      const phase = this.bits(beginCell(), 3);
      this.maybe(phase, () => this.bits(phase, 1));
      this.maybe(phase, () => this.coins(phase));
      this.maybe(phase, () => this.coins(phase));
      this.bits(phase, 32);
      this.maybe(phase, () => this.bits(phase, 32));
      this.bits(phase, 64 + 256);
      builder.storeRef(this.varUint(this.varUint(phase, 3, 7), 3, 7).endCell());
    });
  }

  private bouncePhase(builder: Builder): void {
    const kind = this.random.below(3);
    if (kind === 0) {
      builder.storeUint(0b00, 2);
      return;
    }
    if (kind === 1) builder.storeUint(0b01, 2);
    else builder.storeBit(1);
    this.coins(this.varUint(this.varUint(builder, 3, 7), 3, 7));
    if (kind === 2) this.coins(builder);
  }

  private description(): Cell {
    return this.fitting(() => this.makeDescription());
  }

  private makeDescription(): Cell {
    const builder = beginCell();
    const split = () => this.bits(builder, 6 + 6 + 512);
    const run = () => {
      this.computePhase(builder);
      this.actionPhase(builder);
      this.bits(builder, 1);
    };
    const maybeStorage = () => this.maybe(builder, () => this.storagePhase(builder));
    const maybeCredit = () => this.maybe(builder, () => this.creditPhase(builder));
    const kinds = [
      () => {
        this.bits(builder.storeUint(0b0000, 4), 1);
        maybeStorage();
        maybeCredit();
        run();
        this.maybe(builder, () => this.bouncePhase(builder));
        this.bits(builder, 1);
      },
      () => this.storagePhase(builder.storeUint(0b0001, 4)),
      () => {
        this.bits(builder.storeUint(0b001, 3), 1);
        this.storagePhase(builder);
        run();
        this.bits(builder, 1);
      },
      () => {
        builder.storeUint(0b0100, 4);
        split();
        maybeStorage();
        run();
        this.bits(builder, 1);
      },
      () => {
        builder.storeUint(0b0101, 4);
        split();
        this.bits(builder.storeRef(this.tree(1)), 1);
      },
      () => {
        builder.storeUint(0b0110, 4);
        split();
        this.storagePhase(builder);
        this.bits(builder, 1);
      },
      () => {
        builder.storeUint(0b0111, 4);
        split();
        builder.storeRef(this.tree(1));
        maybeStorage();
        maybeCredit();
        run();
        this.bits(builder, 1);
      },
    ];
    this.random.pick(kinds)();
    return builder.endCell();
  }

  private transaction(account: Buffer, oldHash: Buffer): Cell {
    const outMessages = this.random.below(3);
    const messages = beginCell();
    this.maybe(messages, () => messages.storeRef(this.message()));
    messages.storeBit(outMessages > 0);
    const leaf = (keyBits: number) =>
      beginCell().storeUint(0b110, 3).storeUint(keyBits, 4).storeRef(this.message()).endCell();
    // Indexes 0 and 1 share 14 zero bits.
    if (outMessages === 1) messages.storeRef(leaf(15));
    if (outMessages === 2) {
      const fork = beginCell().storeUint(0b110, 3).storeUint(14, 4);
      const edge = () => beginCell().storeUint(0, 2).storeRef(this.message()).endCell();
      messages.storeRef(fork.storeRef(edge()).storeRef(edge()).endCell());
    }
    const builder = beginCell()
      .storeUint(0b0111, 4)
      .storeBuffer(account)
      .storeUint(2n ** 40n, 64);
    this.bits(builder, 256).storeUint(this.random.below(2 ** 30), 64);
    this.bits(builder, 32).storeUint(outMessages, 15);
    this.bits(builder, 4).storeRef(messages.endCell());
    return this.currencies(builder).storeRef(hashUpdate(oldHash)).storeRef(this.description()).endCell();
  }

  private extra(): Cell {
    const account = Buffer.from(Uint8Array.from({ length: 32 }, () => this.random.below(256)));
    const oldHash = this.random.oneIn(4)
      ? NONE_HASH
      : Buffer.from(Uint8Array.from({ length: 32 }, () => this.random.below(256)));
    const edge = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeBuffer(account);
    this.coins(edge).storeBit(0).storeUint(5, 4).storeBuffer(account);
    edge
      .storeUint(0b10, 2)
      .storeUint(64, 7)
      .storeUint(2n ** 40n, 64);
    this.coins(edge).storeBit(0).storeRef(this.transaction(account, oldHash)).storeRef(hashUpdate(oldHash));
    const accounts = beginCell().storeBit(1).storeRef(edge.endCell());
    const empty = () => beginCell().storeUint(0, 1 + 4 + 1);
    return this.bits(
      beginCell()
        .storeUint(0x4a33f6fd, 32)
        .storeRef(empty().storeUint(0, 4).endCell())
        .storeRef(empty().endCell())
        .storeRef(this.coins(accounts).storeBit(0).endCell()),
      512,
    )
      .storeBit(0)
      .endCell();
  }

  private info(seqno: number, version: number): Cell {
    const reference = (number: number) =>
      this.bits(this.bits(beginCell(), 64).storeUint(number, 32), 512).endCell();
    const hasSoftware = this.chance();
    const builder = beginCell().storeUint(0x9bc7a987, 32).storeUint(0, 32);
    const afterMerge = this.chance();
    this.bits(builder.storeBit(1).storeBit(afterMerge), 4).storeUint(0, 2);
    builder
      .storeUint(hasSoftware ? 1 : 0, 8)
      .storeUint(seqno, 32)
      .storeUint(1, 32);
    builder.storeUint(0, 8).storeInt(0, 32).storeUint(0, 64);
    this.bits(builder, 32 + 64 + 64 + 32 * 4);
    if (hasSoftware) this.bits(builder.storeUint(0xc4, 8).storeUint(version, 32), 64);
    builder.storeRef(reference(5));
    const last = reference(seqno - 1);
    if (!afterMerge) return builder.storeRef(last).endCell();
    return builder.storeRef(beginCell().storeRef(reference(1)).storeRef(last).endCell()).endCell();
  }

  private valueFlow(): Cell {
    const four = () => {
      const builder = beginCell();
      for (let i = 0; i < 4; i++) this.currencies(builder);
      return builder;
    };
    const sums = () => this.fitting(() => four().endCell());
    const hasBurned = this.chance();
    const builder = beginCell()
      .storeUint(hasBurned ? 0x3ebf98b7 : 0xb8e48dfb, 32)
      .storeRef(sums());
    this.coins(builder).storeBit(0);
    if (hasBurned) this.coins(builder).storeBit(0);
    return builder.storeRef(sums()).endCell();
  }

  /** Both states are pruned: the block says nothing of any account but in its transaction. */
  private stateUpdate(): Cell {
    const states = [0, 1].map(() => this.bits(beginCell(), 256).endCell().hash());
    const builder = beginCell().storeUint(4, 8);
    for (const hash of states) builder.storeBuffer(hash);
    builder.storeUint(3, 16).storeUint(3, 16);
    for (const hash of states) {
      const pruned = beginCell().storeUint(1, 8).storeUint(1, 8).storeBuffer(hash).storeUint(3, 16);
      builder.storeRef(pruned.endCell({ exotic: true }));
    }
    return builder.endCell({ exotic: true });
  }
}

function hashUpdate(oldHash: Buffer): Cell {
  return beginCell().storeUint(0x72, 8).storeBuffer(oldHash).storeBuffer(NONE_HASH).endCell();
}
