import type {
  FoundRecord,
  KnownRecord,
  MissingRecords,
  RecordArchive,
  RestoreOptions,
} from '../../../engine/projection/stored-input.ts';
import { type PositionRange, rangeCondition } from '../../../engine/ranges/position-ranges.ts';
import { encodeNativeBlock } from '../../../platform/clickhouse/native-format.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { DataError } from '../../../platform/errors/error-kinds.ts';
import { BASE_TABLES } from '../../../tables/base-tables.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import { blockName } from '../../../ton/decode/block-error.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';

/** A block by its position and the store's facts about it; `shard` unsigned. */
export interface KnownBlock extends KnownRecord {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}

/** The archive has another block than the indexed one at the same position. */
export class OtherBlockError extends DataError {
  readonly block: string;
  readonly expected: string;
  readonly found: string;
  constructor(block: KnownBlock, found: { readonly root: string; readonly file: string }, origin: string) {
    const expected = `root ${block.rootHash} file ${block.fileHash}`;
    const other = `root ${found.root} file ${found.file}`;
    super(
      `masterchain ${block.position}: block ${block.key} is indexed as ${expected}, and is ${other} in ${origin}`,
    );
    this.block = block.key;
    this.expected = expected;
    this.found = other;
  }
}

/** Positions that are looked at together. */
const WINDOW = 2_000;
const INSERT_BYTES = 32 << 20;
const route = 'replay/restore';
const QUERY = { route, ...RANGE_QUERY } as const;

/** Blocks that are indexed and not in `raw_blocks`: how many, and the first of them. */
export async function missingBlocks(options: RestoreOptions): Promise<MissingRecords> {
  const { client, from, to, ranges } = options;
  const where = rangeCondition('mc_seqno', ranges);
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT (SELECT count() FROM ${from}.blocks WHERE ${where}), (SELECT count() FROM ${to}.raw_blocks WHERE ${where})`,
    QUERY,
  );
  const [indexed, stored] = rows[0] ?? ['0', '0'];
  if (BigInt(stored) >= BigInt(indexed)) return { blocks: 0, first: null };
  for await (const blocks of windows(options)) {
    const first = blocks.find(({ isMissing }) => isMissing);
    if (first) return { blocks: Number(BigInt(indexed) - BigInt(stored)), first };
  }
  return { blocks: 0, first: null };
}

/**
 * Reads the blocks of the ranges from an archive, compares each with what is indexed, and puts those into `raw_blocks`
 * that it lacks. May be cut off and done again. Answers how many were put there.
 * `all`: also those that `raw_blocks` has are compared.
 * @throws OtherBlockError
 */
export async function restoreBlocks(
  options: RestoreOptions,
  archive: RecordArchive,
  all: boolean,
): Promise<number> {
  let restored = 0;
  for await (const blocks of windows(options)) {
    const batch = new RestoredBlocks(options);
    for (const block of blocks) {
      options.signal.throwIfAborted();
      if (!all && !block.isMissing) continue;
      const found = await archive.read(block);
      if (!found) continue;
      requireSame(block, found);
      if (block.isMissing) await batch.add(block, found.boc);
    }
    restored += await batch.flush();
  }
  return restored;
}

function requireSame(block: KnownBlock, { boc, rootHash, origin }: FoundRecord): void {
  const found = { root: toHex(rootHash), file: toHex(sha256(boc)) };
  if (found.root !== block.rootHash || found.file !== block.fileHash)
    throw new OtherBlockError(block, found, origin);
}

/** Rows on their way to `raw_blocks`. */
export class RestoredBlocks {
  readonly #options: Pick<RestoreOptions, 'client' | 'to'>;
  readonly #table = new TableBuilder('raw_blocks', BASE_TABLES.raw_blocks);
  #bytes = 0;
  #written = 0;

  constructor(options: Pick<RestoreOptions, 'client' | 'to'>) {
    this.#options = options;
  }

  async add(block: KnownBlock, boc: Uint8Array): Promise<void> {
    const { col } = this.#table;
    col.mc_seqno.push(block.position);
    col.workchain.push(block.workchain);
    col.shard.push(block.shard);
    col.seqno.push(block.seqno);
    col.root_hash.push(Uint8Array.fromHex(block.rootHash));
    col.file_hash.push(Uint8Array.fromHex(block.fileHash));
    col.boc.push(boc);
    this.#table.endRow();
    this.#bytes += boc.length;
    if (this.#bytes >= INSERT_BYTES) await this.flush();
  }

  /** Answers how many rows were written so far. */
  async flush(): Promise<number> {
    const { client, to } = this.#options;
    if (this.#table.rows > 0)
      // The same blocks may have been put there, and lost, before.
      await client.insertNative(`${to}.raw_blocks`, encodeNativeBlock(this.#table), {
        route,
        settings: { insert_deduplicate: 0 },
      });
    this.#written += this.#table.rows;
    this.#table.reset();
    this.#bytes = 0;
    return this.#written;
  }
}

/** The blocks that are indexed, as a table expression. */
export function knownBlocks(
  { from, fromIndex }: Pick<RestoreOptions, 'from' | 'fromIndex'>,
  where: string,
): string {
  const columns = 'mc_seqno, workchain, shard, seqno, root_hash, file_hash';
  const select = (table: string) => `SELECT ${columns} FROM ${from}.${table} WHERE ${where}`;
  return `(${select('blocks')}${fromIndex ? ` UNION DISTINCT ${select('blocks_by_id')}` : ''})`;
}

type CheckedBlock = KnownBlock & { readonly isMissing: boolean };

/** The indexed blocks, some positions at a time, in each step the masterchain's block first: an archive is found by it. */
async function* windows(options: RestoreOptions): AsyncGenerator<readonly CheckedBlock[]> {
  for (const range of options.ranges)
    for (let first = range.first; first <= range.last; first += WINDOW)
      yield await knownInRange(options, { first, last: Math.min(range.last, first + WINDOW - 1) });
}

/** The indexed blocks of a range, and whether `raw_blocks` lacks them. */
export async function knownInRange(
  options: Pick<RestoreOptions, 'client' | 'from' | 'to' | 'fromIndex'>,
  range: PositionRange,
): Promise<readonly CheckedBlock[]> {
  const { client, to } = options;
  const where = rangeCondition('mc_seqno', [range]);
  const { rows } = await client.queryRows<[number, number, string, number, string, string, number]>(
    `SELECT mc_seqno, workchain, toString(shard), seqno, lower(hex(root_hash)), lower(hex(file_hash)),
       (mc_seqno, workchain, shard, seqno) NOT IN (SELECT mc_seqno, workchain, shard, seqno FROM ${to}.raw_blocks WHERE ${where})
     FROM ${knownBlocks(options, where)} ORDER BY mc_seqno, workchain, shard, seqno`,
    QUERY,
  );
  return rows.map(([position, workchain, shard, seqno, rootHash, fileHash, missing]) => ({
    key: blockName({ workchain, shard: BigInt(shard), seqno }),
    position,
    workchain,
    shard: BigInt(shard),
    seqno,
    rootHash,
    fileHash,
    isMissing: missing === 1,
  }));
}
