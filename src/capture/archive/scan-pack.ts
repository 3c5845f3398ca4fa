import { RegularFile } from '../../platform/files/regular-file.ts';
import { PackError } from './pack-error.ts';

/** `package_header_magic` of the reference node (validator/db/package.cpp), little-endian. */
const PACK_MAGIC = 0xae8fdd01;
const ENTRY_MAGIC = 0x1e8b;
const ENTRY_HEADER = 8;
/** Bytes read at once while the entries are listed: several small entries, or the header of a large one. */
const WINDOW = 1 << 13;

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

/** A window of the file that moves forward; `at` gives a view of `length` bytes or what is left. */
class Window {
  private readonly file: RegularFile;
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;

  constructor(file: RegularFile) {
    this.file = file;
  }

  async at(offset: number, length: number): Promise<Buffer> {
    const from = offset - this.start;
    if (from < 0 || from + length > this.buffer.length) {
      const next = await this.file.read(offset, Math.max(WINDOW, length));
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
 * @throws PackError magic, entry, and what RegularFile.open throws
 */
export async function scanPack(
  file: string,
  signal?: AbortSignal,
): Promise<{ readonly entries: PackEntry[]; readonly partial: PartialEntry | null; readonly size: number }> {
  await using opened = await RegularFile.open(file, signal);
  const { size } = opened;
  const window = new Window(opened);
  const magic = await window.at(0, 4);
  if (magic.length < 4 || magic.readUInt32LE() !== PACK_MAGIC)
    throw new PackError(
      'magic',
      { file, offset: 0 },
      `no package: expected 01dd8fae, found ${magic.toString('hex') || 'nothing'}`,
    );
  const entries: PackEntry[] = [];
  let offset = 4;
  while (offset < size) {
    const entry = await readEntry(file, window, offset, size);
    if (!('length' in entry)) return { entries, partial: entry, size };
    entries.push(entry);
    offset = entry.dataOffset + entry.length;
  }
  return { entries, partial: null, size };
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
