import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { getSum } from '../frame.ts';
import { SealedFileError } from '../sealed-file-error.ts';

/*
 * A stub has the name of a sealed file that is in a bucket: the magic, the SHA-256 of everything after it, the length of a
 * JSON object (u32, little-endian), the object (`StubFacts`), and the end of the file: its index and trailer.
 */

/** First bytes of a stub. */
const STUB_MAGIC: Buffer = Buffer.from('tonstub1');
const HEAD_BYTES = STUB_MAGIC.length + 32 + 4;
/** Bytes that have the facts: an address has at most 1,100. */
const MAX_HEAD = 4_096;

/** Where a sealed file is. */
interface StubFacts {
  /** Address of the object, `s3://bucket/key`. */
  readonly address: string;
  /** Size of the file. */
  readonly bytes: number;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
  /** False if another log may use the object too: this log never deletes it. */
  readonly isOwn: boolean;
}

/** Stands for a sealed file whose bytes are in a bucket. */
export interface RemoteStub extends StubFacts {
  /** The last bytes of the file: its index and trailer. */
  readonly end: Buffer;
}

/** The stub at a path; null if there is another file, or a link, or nothing. @throws SealedFileError if it is altered */
export function readStub(path: string): RemoteStub | null {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  const file = openSync(path, 'r');
  try {
    const magic = Buffer.alloc(STUB_MAGIC.length);
    readSync(file, magic, 0, magic.length, 0);
    return magic.equals(STUB_MAGIC) ? decodeStub(path, readFileSync(path)) : null;
  } finally {
    closeSync(file);
  }
}

/** Address of the object that a path's stub names, which is not checked; null if there is no stub. */
export function readStubAddress(path: string): string | null {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(MAX_HEAD);
    const bytes = head.subarray(0, readSync(file, head, 0, MAX_HEAD, 0));
    if (!bytes.subarray(0, STUB_MAGIC.length).equals(STUB_MAGIC)) return null;
    const text = bytes.toString('utf8', HEAD_BYTES, HEAD_BYTES + bytes.readUInt32LE(HEAD_BYTES - 4));
    return (JSON.parse(text) as StubFacts).address;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** Writes a stub to the disk. */
export function writeStub(path: string, { end, ...facts }: RemoteStub): void {
  const text = Buffer.from(JSON.stringify(facts satisfies StubFacts));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const sum = Buffer.from(getSum(length, text, end), 'hex');
  const file = openSync(path, 'w', 0o600);
  try {
    writeFileSync(file, Buffer.concat([STUB_MAGIC, sum, length, text, end]));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function decodeStub(path: string, bytes: Buffer): RemoteStub {
  const expected = bytes.toString('hex', STUB_MAGIC.length, STUB_MAGIC.length + 32);
  const found = getSum(bytes.subarray(STUB_MAGIC.length + 32));
  if (bytes.length < HEAD_BYTES || found !== expected)
    throw new SealedFileError(path, `a stub with SHA-256 ${expected}`, found);
  const start = HEAD_BYTES + bytes.readUInt32LE(HEAD_BYTES - 4);
  const facts = JSON.parse(bytes.toString('utf8', HEAD_BYTES, start)) as StubFacts;
  return { ...facts, end: bytes.subarray(start) };
}

/** The bucket and prefix of an object's address, and the object's name. */
export function splitAddress(address: string): { readonly folder: string; readonly name: string } {
  const at = address.lastIndexOf('/');
  return { folder: address.slice(0, at), name: address.slice(at + 1) };
}
