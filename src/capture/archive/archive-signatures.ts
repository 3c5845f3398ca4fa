import type { FileReading } from '../../platform/files/list-files.ts';
import { RegularFile } from '../../platform/files/regular-file.ts';
import { readBlockProof } from '../../ton/proofs/block-proof.ts';
import type { SignatureSet } from '../../ton/proofs/signature-set.ts';
import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts';
import { groupOfSeqno } from './pack-groups.ts';
import type { PackIndex } from './pack-index.ts';
import { type PackEntry, scanPack } from './scan-pack.ts';

/** A validator's signature has about 100 bytes, a header proof some kilobytes. */
const MAX_PROOF_BYTES = 1 << 20;

/** An entry, and the package that has it. */
type FiledEntry = PackEntry & { readonly file: string };

/** Entries by the block's place, of one group. */
interface ListedGroup {
  /** Number of the group; null if there is none. */
  readonly number: number | null;
  readonly entries: Map<string, FiledEntry>;
  /** Where each package ended when it was read. */
  readonly ends: Map<string, number>;
}

/**
 * Signatures of masterchain blocks from the `proof` entries of an archive. Only the entries of one group of packages are
 * in memory. Nothing stays open between two calls. Calls run one after the other.
 */
export class ArchiveSignatures {
  private readonly packs: Pick<PackIndex, 'folder' | 'mayGrow'>;
  private readonly reading: FileReading;
  /** The group that was read last. */
  private group: ListedGroup | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(packs: Pick<PackIndex, 'folder' | 'mayGrow'>, reading: FileReading = {}) {
    this.packs = packs;
    this.reading = reading;
  }

  /**
   * Reads the signatures of a masterchain block.
   * @returns null if the archive has no proof of exactly this block
   * @throws PackError, BocError, CellError a damaged package or proof
   */
  read(block: BlockIdExt): Promise<SignatureSet | null> {
    const answer = this.turn.then(() => this.find(block));
    this.turn = answer.catch(() => {});
    return answer;
  }

  private async find(block: BlockIdExt): Promise<SignatureSet | null> {
    const entry = await this.findEntry(block);
    if (!entry || entry.length > MAX_PROOF_BYTES) return null;
    await using file = await RegularFile.open(entry.file, this.reading.signal);
    const proof = readBlockProof(await file.read(entry.dataOffset, entry.length));
    return sameBlock(proof.block, block) ? proof.signatures : null;
  }

  private async findEntry(block: BlockIdExt): Promise<FiledEntry | null> {
    const { folder, mayGrow } = this.packs;
    const home = folder.groups[groupOfSeqno(folder, block.seqno)];
    const number = home?.number ?? null;
    const place = blockIdText(block);
    const known = this.group?.number === number ? this.group : null;
    const group = known ?? { number, entries: new Map(), ends: new Map() };
    if (!known || (mayGrow && !group.entries.has(place))) {
      this.group = null;
      await this.list(group, [...(home?.files ?? []), ...folder.loose]);
      this.group = group;
    }
    return group.entries.get(place) ?? null;
  }

  /** Adds the entries of packages since they were read last. */
  private async list({ entries, ends }: ListedGroup, files: readonly string[]): Promise<void> {
    for (const file of files) {
      const from = this.packs.mayGrow ? (ends.get(file) ?? 0) : undefined;
      const scanned = await scanPack(file, this.reading.signal, from);
      ends.set(file, scanned.end);
      for (const entry of scanned.entries) {
        const place = /^proof_(\(-1,8000000000000000,\d+\))/.exec(entry.name)?.[1];
        if (place) entries.set(place, { ...entry, file });
      }
    }
  }
}
