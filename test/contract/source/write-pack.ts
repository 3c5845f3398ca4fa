import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockIdExt } from '../../../src/capture/block-id.ts';
import { isMasterchain, shardHex } from '../../../src/capture/block-id.ts';

/** A block as a test has it: its id, its bytes, and the masterchain block that commits it. */
export interface TestBlock {
  readonly id: BlockIdExt;
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
}

export interface PackStyle {
  /** Between the parts of names: `:` up to 2025, `_` in newer nodes. */
  readonly separator: ':' | '_';
  /** Masterchain blocks per package. */
  readonly slice: number;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();

export function entryName(
  kind: string,
  { workchain, shard, seqno, rootHash, fileHash }: BlockIdExt,
  separator: string,
) {
  return `${kind}_(${workchain},${shardHex(shard)},${seqno})${separator}${hex(rootHash)}${separator}${hex(fileHash)}`;
}

/** One entry: `u32 0x1e8b | name length << 16`, `u32 data length`, name, data. */
export function packEntry(name: string, data: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(0x1e8b, 0);
  header.writeUInt16LE(name.length, 2);
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, Buffer.from(name, 'latin1'), data]);
}

export const PACK_MAGIC = Buffer.from('01dd8fae', 'hex');

/** Writes blocks as a node does: a package of the masterchain and one a shard, per slice. */
export async function writePacks(
  folder: string,
  blocks: readonly TestBlock[],
  { separator, slice }: PackStyle,
): Promise<void> {
  const packs = new Map<string, Buffer[]>();
  for (const { id, boc, mcSeqno } of blocks) {
    const number = String(Math.floor(mcSeqno / slice) * slice).padStart(5, '0');
    const shard = isMasterchain(id) ? '' : `.${id.workchain}${separator}8000000000000000`;
    const name = join(`arch${number.slice(0, 4)}`, `archive.${number}${shard}.pack`);
    const entries = packs.get(name) ?? [PACK_MAGIC];
    entries.push(packEntry(entryName('proof', id, separator), new Uint8Array(10)));
    entries.push(packEntry(entryName('block', id, separator), boc));
    packs.set(name, entries);
  }
  for (const [name, entries] of packs) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), Buffer.concat(entries));
  }
}
