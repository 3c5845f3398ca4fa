import { BocError } from '../boc/boc-error.ts';
import { CellError } from '../boc/cell-error.ts';

/**
 * Why a block or state is refused:
 * - `boc`: the bytes are not a valid bag of cells;
 * - `cell`: a cell does not match its TL-B type;
 * - `foreign_chain`: the root tag of another chain's block;
 * - `file_hash`, `root_hash`, `merkle`: a hash differs from the one in the block's id or in the block;
 * - `header`: the ids inside differ from the announced ones;
 * - `transactions`: account blocks, transactions and message descriptors contradict each other;
 * - `state`: the state update contradicts the transactions;
 * - `kind`: another kind of block or state than requested;
 * - `value`: a value that the columns cannot hold;
 * - `unexpected`: any other failure of the decoder: a mistake in it.
 */
export type BlockErrorCode =
  | 'boc'
  | 'cell'
  | 'foreign_chain'
  | 'file_hash'
  | 'root_hash'
  | 'merkle'
  | 'header'
  | 'transactions'
  | 'state'
  | 'kind'
  | 'value'
  | 'unexpected';

/** A block, by what is known of it: `(workchain,shard,seqno)`, shard as 16 hex digits. */
export function blockName(id: { workchain: number; shard: bigint; seqno: number }): string {
  return `(${id.workchain},${id.shard.toString(16).padStart(16, '0')},${id.seqno})`;
}

/** Parses a block name as `blockName` formats it. @throws RangeError */
export function parseBlockName(name: string): { workchain: number; shard: bigint; seqno: number } {
  const [, workchain, shard, seqno] = /^\((-?\d+),([0-9a-f]{16}),(\d+)\)$/.exec(name) ?? [];
  if (!workchain || !shard || !seqno) throw new RangeError(`not the name of a block: ${name}`);
  return { workchain: Number(workchain), shard: BigInt(`0x${shard}`), seqno: Number(seqno) };
}

/** A block that cannot be decoded. `cause` is the underlying error, if any. */
export class BlockError extends Error {
  override readonly name = 'BlockError';
  /** `(workchain,shard,seqno)`, or `(unknown)`. */
  readonly block: string;
  readonly code: BlockErrorCode;

  constructor(block: string, code: BlockErrorCode, detail: string, cause?: unknown) {
    super(`block ${block}: ${code}: ${detail}`, { cause });
    this.block = block;
    this.code = code;
  }
}

/** A contradiction found in a block, before the block's name is known to its finder. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
  readonly code: BlockErrorCode;

  constructor(code: BlockErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Runs `decode`; whatever it throws comes out as a BlockError that names the block. */
export function namingBlock<T>(block: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof BlockError) throw error;
    if (error instanceof Contradiction) throw new BlockError(block, error.code, error.message, error);
    if (error instanceof BocError) {
      throw new BlockError(block, error.code === 'merkle' ? 'merkle' : 'boc', error.message, error);
    }
    if (error instanceof CellError) throw new BlockError(block, 'cell', error.message, error);
    const code = error instanceof RangeError ? 'value' : 'unexpected';
    throw new BlockError(block, code, error instanceof Error ? error.message : String(error), error);
  }
}
