import type { BaseColumns } from '../columns/base-columns.ts';
import type { ColumnBuilder } from '../columns/column-builder.ts';
import { blockName, Contradiction, namingBlock } from '../decode/block-error.ts';
import type { BlockMeta } from '../decode/block-meta.ts';
import type { BlockCounts, DecodeOptions, VerifyLevel } from '../decode/decode-block.ts';
import { type RawBlock, writeRawBlock } from '../decode/raw-block-row.ts';
import { expectHash } from '../decode/same-bytes.ts';
import { sha256 } from '../hash/sha256.ts';
import { KERNEL_TABLES, STREAM_COUNT, streamedTables } from './column-streams.ts';
import { compileKernel, instantiateKernel, type KernelExports, KernelFault } from './kernel-instance.ts';
import { type NativeParts, roomFor, streamOffsets } from './native-parts.ts';
import { KERNEL_STREAMS, putRawBlocks, sizeRawBlocks } from './raw-block-rows.ts';
import type { WasmModule } from './web-assembly.ts';

const LEVELS: readonly VerifyLevel[] = ['none', 'file', 'tx', 'root'];
const TABLES = streamedTables();
const TRANSACTIONS = KERNEL_TABLES.indexOf('transactions');
const MESSAGES = KERNEL_TABLES.indexOf('messages');
const MAX_UINT64 = (1n << 64n) - 1n;

/** A bag of cells as the kernel has parsed it, until its next call. */
export interface ParsedBag {
  readonly cellCount: number;
  readonly root: number;
}

export interface KernelOptions extends DecodeOptions {
  /**
   * The block is a row of `raw_blocks`: its file hash was checked when it was written, and the store's checksums
   * protect it. Its file hash is not computed again, and it adds no row there. Default false.
   */
  readonly isStored?: boolean;
}

/**
 * The decode kernel: the same as `decodeBlock` of src/ton/decode, in WebAssembly, with equal bytes in every column and
 * equal refusals. An instance belongs to one thread and runs one call at a time.
 */
export class Kernel {
  private readonly module: WasmModule;
  private wasm: KernelExports;
  /** Blocks whose rows are in the kernel's memory and not yet in columns. */
  private waiting: RawBlock[] = [];
  private memory: Uint8Array<ArrayBuffer>;
  private stopped = false;

  private constructor(module: WasmModule) {
    this.module = module;
    this.wasm = instantiateKernel(module);
    this.memory = new Uint8Array(this.wasm.memory.buffer);
  }

  /** A kernel with memory of its own; compiling is done once. */
  static async load(): Promise<Kernel> {
    return new Kernel(await compileKernel());
  }

  /**
   * True if the kernel stopped inside a block (a trap, no memory) instead of refusing it. Rows in its memory are then
   * invalid: call `restart`.
   */
  get isStopped(): boolean {
    return this.stopped;
  }

  /** Goes on with fresh memory; rows that wait are lost. */
  restart(): void {
    this.wasm = instantiateKernel(this.module);
    this.memory = new Uint8Array(this.wasm.memory.buffer);
    this.waiting = [];
    this.stopped = false;
  }

  /**
   * Decodes a block into columns, like `decodeBlock` of src/ton/decode. Blocks left from `add` come before it.
   *
   * @throws BlockError, and nothing else; the columns are then unchanged
   */
  decodeBlock(bytes: Uint8Array, meta: BlockMeta, columns: BaseColumns, options: DecodeOptions): BlockCounts {
    // Nothing waits that a restart could lose.
    if (this.stopped && this.waiting.length === 0) this.restart();
    const counts = this.add(bytes, meta, options);
    this.drainInto(columns);
    return counts;
  }

  /**
   * Decodes a block into the kernel's own memory, after the earlier ones. `drainInto` then moves whole batches, which
   * is cheaper than block by block. `bytes` must not change until then.
   *
   * @throws BlockError, and nothing else; the rows of earlier blocks stay
   */
  add(bytes: Uint8Array, meta: BlockMeta, options: KernelOptions): BlockCounts {
    return namingBlock(blockName(meta), () => {
      if (this.stopped) throw new KernelFault('the kernel has stopped in an earlier block');
      const level = LEVELS.indexOf(options.verify);
      if (level >= 1 && !options.isStored)
        expectHash('file_hash', 'SHA-256 of the bytes', meta.fileHash, sha256(bytes));
      const { wasm } = this;
      const transactions = wasm.rows(TRANSACTIONS);
      const messages = wasm.rows(MESSAGES);
      this.put(bytes);
      this.announce(meta);
      const below = options.oldStatesBelowLt;
      const { indexedFromLt = 0n } = meta;
      wasm.ask(level, below < 0n ? 0n : below & MAX_UINT64, below > MAX_UINT64 ? 1 : 0, indexedFromLt);
      this.decode();
      if (!options.isStored) this.waiting.push({ bytes, meta });
      return {
        transactions: wasm.rows(TRANSACTIONS) - transactions,
        messages: wasm.rows(MESSAGES) - messages,
      };
    });
  }

  /** Bytes of the blocks whose rows wait for `drainInto`. */
  get waitingBytes(): number {
    return this.waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /**
   * Returns the rows of all blocks added since the last call, in one buffer: `spare`, if it is large enough. The kernel
   * is empty afterwards.
   */
  takeParts(spare: ArrayBuffer | null): NativeParts {
    const { wasm, waiting } = this;
    const sizes = new Uint32Array(STREAM_COUNT);
    for (let i = 0; i < KERNEL_STREAMS; i++) sizes[i] = wasm.streamSize(i);
    sizeRawBlocks(waiting, sizes);
    const offsets = streamOffsets(sizes);
    const buffer = roomFor(offsets[STREAM_COUNT] as number, spare);
    const bytes = new Uint8Array(buffer);
    for (let i = 0; i < KERNEL_STREAMS; i++) {
      if (sizes[i] !== 0) bytes.set(this.stream(i), offsets[i]);
    }
    putRawBlocks(waiting, buffer, offsets);
    const rows = [...TABLES.map((_, index) => wasm.rows(index)), waiting.length];
    this.discard();
    return { buffer, rows, sizes };
  }

  /** Moves the rows of all blocks added since the last time to the end of the columns: a copy of bytes a column. */
  drainInto(columns: BaseColumns): void {
    for (const [index, { name, columns: streamed }] of TABLES.entries()) {
      const rows = this.wasm.rows(index);
      if (rows === 0) continue;
      const table = columns.tables[name];
      for (const [place, { first, streams }] of streamed.entries()) {
        const parts = streams.map((_, part) => this.stream(first + part));
        (table.columns[place] as ColumnBuilder<never>).appendNative(parts, rows);
      }
      table.endNativeRows(rows);
    }
    for (const block of this.waiting) writeRawBlock(columns, block);
    this.discard();
  }

  /** Drops the rows that wait. */
  discard(): void {
    this.waiting = [];
    this.wasm.clearStreams();
  }

  /** Parses any bag of one root: all that can be checked without hashing. @throws BlockError */
  parse(bytes: Uint8Array): ParsedBag {
    return namingBlock('(bag)', () => {
      this.put(bytes);
      this.wasm.parse();
      return { cellCount: this.wasm.cellCount.value, root: this.wasm.rootCell.value };
    });
  }

  /** Hashes every cell of the bag that was parsed last. @throws BlockError */
  hashAll(): void {
    namingBlock('(bag)', () => this.wasm.hashAll());
  }

  /** After `hashAll`: hash and depth of a cell at a level of 0…3, 3 being the representation hash. */
  getHash(cell: number, level = 3): { readonly hash: Uint8Array; readonly depth: number } {
    const at = this.wasm.hashAtLevel(cell, level);
    return { hash: this.view().slice(at, at + 32), depth: this.wasm.depthAtLevel(cell, level) };
  }

  /** CRC-32C of the bytes, unsigned. */
  crc32c(bytes: Uint8Array): number {
    return this.wasm.crc32c(this.put(bytes), bytes.length) >>> 0;
  }

  private decode(): void {
    try {
      this.wasm.decodeBlock();
    } catch (error) {
      if (error instanceof Contradiction) this.wasm.rollbackStreams();
      else this.stopped = true;
      throw error;
    }
  }

  private reserve(size: number): number {
    try {
      return this.wasm.reserveInput(size);
    } catch (error) {
      this.stopped = true;
      throw error;
    }
  }

  private put(bytes: Uint8Array): number {
    const at = this.reserve(bytes.length);
    this.view().set(bytes, at);
    return at;
  }

  /** Checks the bounds of values that columns store directly, and compares ids with the header. */
  private announce(meta: BlockMeta): void {
    const { workchain, shard, seqno, mcSeqno, rootHash, fileHash } = meta;
    if (workchain !== (workchain | 0) || shard !== BigInt.asUintN(64, shard) || seqno !== seqno >>> 0) {
      throw new Contradiction('header', 'the block inside is another one: no block has the announced id');
    }
    if (mcSeqno !== mcSeqno >>> 0) throw new RangeError(`mc_seqno: ${mcSeqno} is not a UInt32`);
    if (rootHash.length !== 32 || fileHash.length !== 32) {
      throw new RangeError(`hashes of ${rootHash.length} and ${fileHash.length} bytes, 32 wanted`);
    }
    const at = this.wasm.announcedHashes.value;
    this.view().set(rootHash, at);
    this.view().set(fileHash, at + 32);
    this.wasm.announce(workchain, shard, seqno, mcSeqno);
  }

  private stream(index: number): Uint8Array {
    const at = this.wasm.streamStart(index);
    return this.view().subarray(at, at + this.wasm.streamSize(index));
  }

  /** The memory; its buffer is another one whenever it has grown. */
  private view(): Uint8Array<ArrayBuffer> {
    if (this.memory.buffer !== this.wasm.memory.buffer) this.memory = new Uint8Array(this.wasm.memory.buffer);
    return this.memory;
  }
}
