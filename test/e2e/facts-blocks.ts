/** The shared blocks with their facts, and the decoding that the suites over them have in common. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BASE_TABLES, type BaseTable } from '../../src/tables/base-tables.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { type ReadRow, readTable } from '../../src/ton/columns/column-reader.ts';
import { type BlockHeader, readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { type BlockMeta, type DecodeOptions, decodeBlock } from '../../src/ton/decode/decode-block.ts';

export type Facts = Record<string, unknown>;

export interface SharedBlock {
  /** `<set>/<file>` */
  readonly name: string;
  readonly path: string;
  readonly facts: Facts;
}

/** Every block that has facts; `set` limits it to one folder. */
export function sharedBlocks(data: string, set = ''): SharedBlock[] {
  const root = join(data, 'blocks');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('facts.json') && dirname(name).startsWith(set))
    .sort()
    .flatMap((name) => {
      const facts = JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, Facts>;
      const folder = dirname(name);
      const single = basename(name) !== 'facts.json';
      const files = single ? { [basename(name).replace('.facts.json', '.boc')]: facts } : facts;
      return Object.entries(files).map(([file, of]) => ({
        name: `${folder}/${file}`,
        path: join(root, folder, file),
        facts: of as Facts,
      }));
    });
}

export function readBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

/** A block's own meta; `mcSeqno` is the masterchain block that it refers to. */
export function ownMeta(header: BlockHeader): BlockMeta {
  const { workchain, shard, seqno, rootHash, fileHash, masterRef } = header;
  return { workchain, shard, seqno, rootHash, fileHash, mcSeqno: masterRef?.seqno ?? seqno };
}

export function fileHashOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest());
}

export type Rows = { readonly [K in BaseTable]: ReadRow<(typeof BASE_TABLES)[K]>[] };

/** All rows, read back. */
export function readRows(columns: BaseColumns): Rows {
  const names = Object.keys(BASE_TABLES) as BaseTable[];
  return Object.fromEntries(names.map((name) => [name, readTable(columns.tables[name])])) as unknown as Rows;
}

/** Decodes one block separately and reads all rows back. */
export function decodeRows(
  bytes: Uint8Array,
  options: DecodeOptions = { verify: 'root', oldStatesBelowLt: 0n },
): Rows {
  const columns = new BaseColumns();
  decodeBlock(bytes, ownMeta(readBlockHeader(bytes)), columns, options);
  return readRows(columns);
}
