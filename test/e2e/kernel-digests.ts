/** Shared by the suites over reader and kernel: decoding with either, and its outcome. */
import { createHash } from 'node:crypto';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import type { BlockMeta } from '../../src/ton/decode/block-meta.ts';
import { type BlockCounts, BlockError, type DecodeOptions } from '../../src/ton/decode/decode-block.ts';

export type Decode = (
  bytes: Uint8Array,
  meta: BlockMeta,
  columns: BaseColumns,
  options: DecodeOptions,
) => BlockCounts;

/** SHA-256 of every column's bytes, by `table.column`. */
export function columnDigests(columns: BaseColumns): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const table of Object.values(columns.tables)) {
    for (const column of table.columns) {
      const hash = createHash('sha256');
      for (const part of column.parts()) hash.update(part);
      digests[`${table.name}.${column.name}`] = hash.digest('hex');
    }
  }
  return digests;
}

/** Counts, rows and digests; or the code with which the block was refused. */
export type Outcome =
  | { readonly refused: string }
  | {
      readonly counts: BlockCounts;
      readonly rows: Readonly<Record<string, number>>;
      readonly digests: Readonly<Record<string, string>>;
    };

/** Empty before each block: the tests compare thousands of outcomes, and new columns cost more than a block. */
const columns = new BaseColumns();

/** Decodes one block into empty columns. Anything but a BlockError, and a code `unexpected`, is thrown on. */
export function outcomeOf(
  decode: Decode,
  bytes: Uint8Array,
  meta: BlockMeta,
  options: DecodeOptions,
): Outcome {
  columns.reset();
  try {
    const counts = decode(bytes, meta, columns, options);
    return { counts, rows: columns.rows(), digests: columnDigests(columns) };
  } catch (error) {
    if (!(error instanceof BlockError) || error.code === 'unexpected') throw error;
    if (Object.values(columns.rows()).some((rows) => rows !== 0))
      throw new Error('a refused block left rows');
    return { refused: error.code };
  }
}
