import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type BlockIdExt, blockIdText, isMasterchain } from '../../capture/block-id.ts';
import { toHex } from '../../ton/hash/hex.ts';

/** `package_header_magic` of the reference node (validator/db/package.cpp), little-endian. */
const PACK_MAGIC = Buffer.from('01dd8fae', 'hex');
const ENTRY_MAGIC = 0x1e8b;
/** A new package is begun with the next masterchain block after so many bytes: indexes of all of one are kept at once. */
const PACK_BYTES = 256 * 2 ** 20;

/** A block with its id. */
export interface PackedBlock {
  readonly id: BlockIdExt;
  readonly boc: Uint8Array;
  /** TL-B BlockProof as a bag. */
  readonly proof: Uint8Array;
}

/** Writes blocks into packages of a folder, as an archive of a node has them: `archive.NNNNN.pack`. */
export class PackWriter {
  private readonly folder: string;
  private file: number | null = null;
  private fileBytes = 0;
  /** Bytes of all packages. */
  bytes = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Adds the blocks of a masterchain step, which stay in one package. */
  step(mcSeqno: number, blocks: readonly PackedBlock[]): void {
    if (this.file === null || this.fileBytes > PACK_BYTES) this.begin(mcSeqno);
    for (const { id, boc, proof } of blocks) {
      this.write(entry(isMasterchain(id) ? 'proof' : 'prooflink', id, proof));
      this.write(entry('block', id, boc));
    }
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  /** The number in a package's name is the masterchain block that it begins with; 0 in the first. */
  private begin(mcSeqno: number): void {
    const number = `${this.bytes === 0 ? 0 : mcSeqno}`.padStart(5, '0');
    this.close();
    this.fileBytes = 0;
    this.file = openSync(join(this.folder, `archive.${number}.pack`), 'wx');
    this.write(PACK_MAGIC);
  }

  private write(data: Uint8Array): void {
    writeSync(this.file!, data);
    this.fileBytes += data.length;
    this.bytes += data.length;
  }
}

/** `u16 0x1e8b, u16 name length, u32 data length`, all little-endian, then name and data. */
function entry(kind: 'block' | 'proof' | 'prooflink', id: BlockIdExt, data: Uint8Array): Buffer {
  const [root, file] = [id.rootHash, id.fileHash].map((hash) => toHex(hash).toUpperCase());
  const name = Buffer.from(`${kind}_${blockIdText(id)}:${root}:${file}`, 'latin1');
  const header = Buffer.alloc(8);
  header.writeUInt16LE(ENTRY_MAGIC, 0);
  header.writeUInt16LE(name.length, 2);
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, name, data]);
}
