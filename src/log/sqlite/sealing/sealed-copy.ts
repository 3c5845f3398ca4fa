import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../../platform/files/folders.ts';
import type { Bucket } from '../../../platform/object-store/bucket.ts';
import { splitAddress } from '../../sealed/remote/remote-stub.ts';

/** One copy of a sealed file: in a folder, or in a bucket. */
export interface SealedCopy {
  /** Path or `s3://bucket/key`. */
  readonly address: string;
  readonly bytes: number;
  /** Contents; each part is valid until the next one. */
  parts(signal: AbortSignal): AsyncGenerator<Uint8Array>;
  delete(signal: AbortSignal): Promise<void>;
}

/** SHA-256 of a copy, hex, and its size. */
export interface CopySum {
  readonly sha256: string;
  readonly bytes: number;
}

const PART_BYTES = 8 << 20;

/** A copy on a disk. */
export async function diskCopy(path: string): Promise<SealedCopy> {
  const file = await open(path, 'r');
  const { size: bytes } = await file.stat().finally(() => file.close());
  return {
    address: path,
    bytes,
    async *parts(signal) {
      const opened = await open(path, 'r');
      try {
        const buffer = Buffer.alloc(PART_BYTES);
        for (let at = 0; ; ) {
          signal.throwIfAborted();
          const { bytesRead } = await opened.read(buffer, 0, buffer.length, at);
          if (bytesRead === 0) return;
          yield buffer.subarray(0, bytesRead);
          at += bytesRead;
        }
      } finally {
        await opened.close();
      }
    },
    async delete() {
      await rm(path, { force: true });
      syncFolder(dirname(path));
    },
  };
}

/** A copy in a bucket. */
export function objectCopy(bucket: Bucket, address: string, bytes: number): SealedCopy {
  const { name } = splitAddress(address);
  return {
    address,
    bytes,
    async *parts(signal) {
      for (let at = 0; at < bytes; at += PART_BYTES)
        yield await bucket.read(name, at, Math.min(PART_BYTES, bytes - at), signal);
    },
    delete: (signal) => bucket.delete(name, signal),
  };
}

/** Reads a copy to its end. */
export async function sumCopy(
  copy: SealedCopy,
  signal: AbortSignal,
  onPart: (part: Uint8Array, at: number) => Promise<void> | void = () => {},
): Promise<CopySum> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of copy.parts(signal)) {
    hash.update(part);
    await onPart(part, bytes);
    bytes += part.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Reads exactly so many bytes of a file. */
export async function readExactly(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}
