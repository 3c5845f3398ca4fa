/**
 * Builds blocks that no chain has recorded: every constructor of messages, addresses and transaction descriptions, at
 * random. Each has one account. In half of them the account has one transaction and then ends, so that only the
 * transaction itself defines its hash: much damage goes unnoticed. In the other half it has up to three, and states of
 * every kind before and after, with all allowed prunings.
 */
import { type Builder, beginCell, type Cell } from '@ton/core';
import type { BlockMeta } from '../../../../src/ton/decode/block-meta.ts';
import { type MadeAccount, StateMaker } from './made-states.ts';

const SHARD = 1n << 63n;
const LAST_LT = 1n << 40n;

/** Writes random values of TL-B types. */
export class BlockMaker extends StateMaker {
  /** A block's bytes and the ids that it is announced with (of its file and root hash only the latter is right). */
  makeBlock(): { bytes: Uint8Array; meta: BlockMeta } {
    const seqno = 2 + this.random.below(1000);
    const version = this.random.below(15);
    const account = this.chance() ? this.account() : this.accountThatGoes();
    const transactions = this.transactions(account);
    const root = beginCell()
      .storeUint(0x11ef55aa, 32)
      .storeInt(-239, 32)
      .storeRef(this.info(seqno, version))
      .storeRef(this.valueFlow(account.currencies))
      .storeRef(this.stateUpdate(account, (transactions.at(-1) as Cell).hash(), LAST_LT))
      .storeRef(this.extra(account, transactions))
      .endCell();
    const bytes = new Uint8Array(root.toBoc({ idx: this.chance(), crc32: this.chance() }));
    const hashes = { rootHash: new Uint8Array(root.hash()), fileHash: new Uint8Array(32) };
    return { bytes, meta: { workchain: 0, shard: SHARD, seqno, mcSeqno: 7, ...hashes } };
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

  /** Init and body, inline if there is room. */
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

  /** Up to three, the last at LAST_LT; each begins at the end of the previous one. */
  private transactions({ address, before, after, hasStates }: MadeAccount): Cell[] {
    const made: Cell[] = [];
    const count = hasStates ? 1 + this.random.below(3) : 1;
    let previous = { hash: this.hash(), lt: BigInt(this.random.below(2 ** 30)) };
    let oldHash = before.hash;
    for (let left = count - 1; left >= 0; left--) {
      const lt = LAST_LT - BigInt(left);
      const newHash = left === 0 ? after.hash : this.hash();
      const cell = this.transaction(address, lt, previous, hashUpdate(oldHash, newHash));
      made.push(cell);
      previous = { hash: cell.hash(), lt };
      oldHash = newHash;
    }
    return made;
  }

  private transaction(
    account: Buffer,
    lt: bigint,
    previous: { readonly hash: Buffer; readonly lt: bigint },
    stateUpdate: Cell,
  ): Cell {
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
      .storeUint(lt, 64)
      .storeBuffer(previous.hash)
      .storeUint(previous.lt, 64);
    this.bits(builder, 32).storeUint(outMessages, 15);
    this.bits(builder, 4).storeRef(messages.endCell());
    return this.currencies(builder).storeRef(stateUpdate).storeRef(this.description()).endCell();
  }

  /** The root edge of an account block's dictionary, or one below it, over keys that are not read. */
  private transactionEdge(edge: Builder, keyBits: number, transactions: readonly Cell[]): Builder {
    const [first, ...others] = transactions as [Cell, ...Cell[]];
    if (others.length === 0) {
      // hml_same: all of the key are zeros or ones.
      edge
        .storeUint(0b11, 2)
        .storeBit(this.chance())
        .storeUint(keyBits, 32 - Math.clz32(keyBits));
      return this.coins(edge).storeBit(0).storeRef(first);
    }
    const side = (half: readonly Cell[]) => this.transactionEdge(beginCell(), keyBits - 1, half).endCell();
    edge
      .storeUint(0, 2)
      .storeRef(side([first]))
      .storeRef(side(others));
    return this.coins(edge).storeBit(0);
  }

  private extra({ address, before, after }: MadeAccount, transactions: readonly Cell[]): Cell {
    const edge = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeBuffer(address);
    this.coins(edge).storeBit(0).storeUint(5, 4).storeBuffer(address);
    this.transactionEdge(edge, 64, transactions).storeRef(hashUpdate(before.hash, after.hash));
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

  /** `currencies` may be those of the totals: the account then has all of them. */
  private valueFlow(currencies: Cell | null): Cell {
    const four = () => {
      const builder = beginCell();
      for (let i = 0; i < 4; i++) {
        if (this.random.oneIn(3)) this.coins(builder).storeMaybeRef(currencies);
        else this.currencies(builder);
      }
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
}

function hashUpdate(oldHash: Buffer, newHash: Buffer): Cell {
  return beginCell().storeUint(0x72, 8).storeBuffer(oldHash).storeBuffer(newHash).endCell();
}
