import { RegularFile } from '../../platform/files/regular-file.ts';
import { PackError } from './pack-error.ts';

/** `package_header_magic` of the reference node (validator/db/package.cpp), as it is in the file. */
const PACK_MAGIC = Buffer.from('01dd8fae', 'hex');
const ENTRY_MAGIC = 0x1e8b;
const ENTRY_HEADER = 8;
/** Bytes read at once while the entries are listed: the header of a large one, or several small ones. */
const WINDOW = 1 << 13;
/** The same where many small entries follow each other. */
const MAX_WINDOW = 1 << 18;

export interface PackEntry {
  readonly name: string;
  /** Offset of the entry in the file. */
  readonly offset: number;
  /** Offset of the data in the file. */
  readonly dataOffset: number;
  readonly length: number;
}

/** The rest of a file that ends within an entry. `name` is null where even the name is cut. */
export interface PartialEntry {
  readonly offset: number;
  readonly name: string | null;
}

/** Entries of a package, or those that were added since an earlier scan. */
export interface PackScan {
  readonly entries: PackEntry[];
  readonly partial: PartialEntry | null;
  /** Bytes of the file. */
  readonly size: number;
  /** Offset after the last complete entry. */
  readonly end: number;
}

/** A window of the file that moves forward; `at` gives a view of `length` bytes or what is left. */
class Window {
  private readonly file: RegularFile;
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;
  private width = WINDOW / 2;

  constructor(file: RegularFile) {
    this.file = file;
  }

  async at(offset: number, length: number): Promise<Buffer> {
    const from = offset - this.start;
    if (from < 0 || from + length > this.buffer.length) {
      const gap = from - this.buffer.length;
      // Bytes between two windows are not read: a gap shows that entries are large.
      this.width = gap < this.width ? Math.min(2 * this.width, MAX_WINDOW) : WINDOW;
      const next = await this.file.read(offset, Math.max(this.width, length));
      this.buffer = Buffer.from(next.buffer, next.byteOffset, next.byteLength);
      this.start = offset;
    }
    return this.buffer.subarray(offset - this.start, offset - this.start + length);
  }
}

/**
 * Lists the entries of a package without reading their data: `u32 0x1e8b | name length << 16`, `u32 data length`, name,
 * data. A file that ends within an entry, as one does that is being written, ends the list with a `PartialEntry`.
 *
 * @param signal ends the reading
 * @param from for a package that grows: `end` of the scan before, 0 for the first. Only entries after it are listed, and
 * the magic may be incomplete.
 * @throws PackError magic, entry, shrunk, and what RegularFile.open throws
 */
export async function scanPack(file: string, signal?: AbortSignal, from?: number): Promise<PackScan> {
  await using opened = await RegularFile.open(file, signal);
  const { size } = opened;
  if (from !== undefined && size < from)
    throw new PackError(
      'shrunk',
      { file, offset: from },
      `the package was read up to here, and now has ${size} bytes: it was cut or replaced by a shorter one`,
    );
  const window = new Window(opened);
  const entries: PackEntry[] = [];
  let offset = from || PACK_MAGIC.length;
  if (!from && !(await checkMagic(file, window, from === 0)))
    return { entries, partial: { offset: 0, name: null }, size, end: 0 };
  while (offset < size) {
    const entry = await readEntry(file, window, offset, size);
    if (!('length' in entry)) return { entries, partial: entry, size, end: offset };
    entries.push(entry);
    offset = entry.dataOffset + entry.length;
  }
  return { entries, partial: null, size, end: offset };
}

/** Returns false for the beginning of a magic, if the package may grow. */
async function checkMagic(file: string, window: Window, mayGrow: boolean): Promise<boolean> {
  const magic = await window.at(0, PACK_MAGIC.length);
  if (magic.equals(PACK_MAGIC)) return true;
  if (mayGrow && magic.equals(PACK_MAGIC.subarray(0, magic.length))) return false;
  const found = magic.toString('hex') || 'nothing';
  throw new PackError('magic', { file, offset: 0 }, `no package: expected 01dd8fae, found ${found}`);
}

async function readEntry(
  file: string,
  window: Window,
  offset: number,
  size: number,
): Promise<PackEntry | PartialEntry> {
  const header = await window.at(offset, ENTRY_HEADER);
  if (header.length >= 2 && header.readUInt16LE() !== ENTRY_MAGIC)
    throw new PackError(
      'entry',
      { file, offset },
      `no entry: expected 8b1e, found ${header.toString('hex', 0, 2)}`,
    );
  if (header.length < ENTRY_HEADER) return { offset, name: null };
  const nameLength = header.readUInt16LE(2);
  const length = header.readUInt32LE(4);
  const name = await window.at(offset + ENTRY_HEADER, nameLength);
  if (name.length < nameLength) return { offset, name: null };
  const dataOffset = offset + ENTRY_HEADER + nameLength;
  if (dataOffset + length > size) return { offset, name: name.toString('latin1') };
  return { name: name.toString('latin1'), offset, dataOffset, length };
}
