import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryKind, parseBlockName } from '../../src/capture/archive/entry-name.ts';
import { scanPack } from '../../src/capture/archive/scan-pack.ts';
import { isMasterchain, shardHex } from '../../src/capture/block-id.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { PACK_MAGIC } from '../contract/source/write-pack.ts';
import { SeededRandom } from './seeded-random.ts';

/** An entry of a package, as bytes, with the file of the archive that it belongs to. */
export interface FiledBytes {
  readonly file: string;
  readonly kind: string;
  readonly mcSeqno: number;
  readonly bytes: Buffer;
}

/** Masterchain blocks per package. */
export const SLICE = 3;

/** Generates a chain with two shards, and files its entries as a node does: per slice, a package for each shard. */
export async function generateEntries(folder: string): Promise<readonly FiledBytes[]> {
  await generatePacks({
    directory: folder,
    transactions: 120,
    seed: 'growing',
    shards: 2,
    perStep: 10,
    synthetic: true,
  });
  const [pack] = readdirSync(folder).filter((name) => name.endsWith('.pack'));
  const path = join(folder, pack!);
  const bytes = readFileSync(path);
  const { entries } = await scanPack(path);
  let mcSeqno = 1;
  return entries.map(({ name, offset, dataOffset, length }) => {
    const id = parseBlockName(name.replace(/^[a-z]+/, 'block'))!;
    const kind = entryKind(name);
    const number = String(Math.floor(mcSeqno / SLICE) * SLICE).padStart(5, '0');
    const shard = isMasterchain(id) ? '' : `.${id.workchain}_${shardHex(id.shard)}`;
    const filed = { file: `archive.${number}${shard}.pack`, kind, mcSeqno };
    if (isMasterchain(id) && kind === 'block') mcSeqno++;
    return { ...filed, bytes: bytes.subarray(offset, dataOffset + length) };
  });
}

/** A package folder that is written piece by piece. */
export class GrowingFolder {
  readonly path: string;
  private readonly begun = new Set<string>();
  private readonly random: SeededRandom;

  constructor(path: string, seed: number) {
    this.path = path;
    this.random = new SeededRandom(seed);
    mkdirSync(path, { recursive: true });
  }

  /** Appends entries at once. */
  write(entries: readonly FiledBytes[]): void {
    for (const { file, bytes } of entries)
      for (const piece of this.withMagic(file, bytes)) appendFileSync(join(this.path, file), piece);
  }

  /** Appends entries in pieces that are cut anywhere; `pause` runs after each piece. */
  async grow(entries: readonly FiledBytes[], pause: () => Promise<void>): Promise<void> {
    for (const { file, bytes } of entries)
      for (const data of this.withMagic(file, bytes))
        for (const piece of this.cut(data)) {
          appendFileSync(join(this.path, file), piece);
          await pause();
        }
  }

  private withMagic(file: string, bytes: Buffer): readonly Buffer[] {
    if (this.begun.has(file)) return [bytes];
    this.begun.add(file);
    return [PACK_MAGIC, bytes];
  }

  /** Two cuts: one within the header and the name, one anywhere. */
  private cut(data: Buffer): readonly Buffer[] {
    const early = this.random.below(Math.min(data.length, 40));
    const late = early + this.random.below(data.length - early);
    return [data.subarray(0, early), data.subarray(early, late), data.subarray(late)];
  }
}
