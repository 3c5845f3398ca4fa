import type { FileReading } from '../../platform/files/list-files.ts';
import { RegularFile } from '../../platform/files/regular-file.ts';
import { readBlockProof } from '../../ton/proofs/block-proof.ts';
import type { SignatureSet } from '../../ton/proofs/signature-set.ts';
import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts';
import { groupOfSeqno, listPacks, type PackFolder } from './pack-groups.ts';
import { type PackEntry, scanPack } from './scan-pack.ts';

/** A validator's signature has about 100 bytes, a header proof some kilobytes. */
const MAX_PROOF_BYTES = 1 << 20;

/** An entry, and the package that has it. */
type FiledEntry = PackEntry & { readonly file: string };

/**
 * Signatures of masterchain blocks from the `proof` entries of an archive. Only the entries of one group of packages are
 * in memory. Nothing stays open between two calls. Calls run one after the other.
 */
export class ArchiveSignatures {
  private readonly path: string;
  private readonly reading: FileReading;
  private folder: PackFolder | null = null;
  /** Entries by the block's place, of the group that was read last. */
  private group: { readonly at: number; readonly entries: ReadonlyMap<string, FiledEntry> } | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, reading: FileReading = {}) {
    this.path = path;
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
    this.folder ??= await listPacks(this.path, this.reading);
    const at = groupOfSeqno(this.folder, block.seqno);
    if (this.group?.at !== at) this.group = { at, entries: await this.list(at) };
    const entry = this.group.entries.get(blockIdText(block));
    if (!entry || entry.length > MAX_PROOF_BYTES) return null;
    await using file = await RegularFile.open(entry.file, this.reading.signal);
    const proof = readBlockProof(await file.read(entry.dataOffset, entry.length));
    return sameBlock(proof.block, block) ? proof.signatures : null;
  }

  private async list(at: number): Promise<ReadonlyMap<string, FiledEntry>> {
    const { groups, loose } = this.folder!;
    const entries = new Map<string, FiledEntry>();
    for (const file of [...(groups[at]?.files ?? []), ...loose])
      for (const entry of (await scanPack(file, this.reading.signal)).entries) {
        const place = /^proof_(\(-1,8000000000000000,\d+\))/.exec(entry.name)?.[1];
        if (place) entries.set(place, { ...entry, file });
      }
    return entries;
  }
}
