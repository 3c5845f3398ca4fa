import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileFacts } from './export-place.ts';

/**
 * Writes a stream to a file. The file appears under its name when all bytes are on the disk; a file of that name is
 * replaced.
 */
export async function writeFile(path: string, body: Readable): Promise<FileFacts> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.part`;
  const file = await open(temporary, 'w');
  try {
    const facts = await measure(body, (part) => file.writeFile(part));
    await file.sync();
    await file.close();
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return facts;
  } catch (error) {
    body.destroy();
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Size and hash of a file; null if there is no such file. */
export async function readFacts(path: string): Promise<FileFacts | null> {
  try {
    return await measure(createReadStream(path, { highWaterMark: 1 << 20 }), async () => {});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function measure(body: Readable, write: (part: Buffer) => Promise<void>): Promise<FileFacts> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    hash.update(part);
    bytes += part.length;
    await write(part);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A renamed file survives a power cut after its folder is written. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
