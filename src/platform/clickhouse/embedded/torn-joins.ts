/*
 * Files of tables with the engine Join. The server writes each to `tmp`, gives it its name and does not sync it. After a
 * power cut it can have its name without its bytes, and then the server does not start.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Each part of a file: a checksum, then the method, the size with these 9 bytes, and the size before compression. */
const CHECKSUM_BYTES = 16;
const HEADER_BYTES = 9;
const JOIN_FILE = /^\d+\.bin$/;

/**
 * Deletes files of Join tables that a power cut left without all of their bytes, before the server starts. The one such
 * table has closed attempts (decision 91): their statements ended with the power. Returns the paths. The caller has the
 * store's lock.
 */
export function deleteTornJoins(directory: string): readonly string[] {
  const store = join(directory, 'data', 'store');
  const torn = folders(store)
    .flatMap((group) => folders(group))
    .flatMap((table) =>
      readdirSync(table)
        .filter((name) => JOIN_FILE.test(name))
        .map((name) => join(table, name)),
    )
    .filter((path) => !isWhole(readFileSync(path)));
  for (const path of torn) rmSync(path);
  return torn;
}

function folders(parent: string): readonly string[] {
  if (!existsSync(parent)) return [];
  const entries = readdirSync(parent, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(parent, name));
}

/** True if the sizes of the parts lead to the end of the file. */
function isWhole(bytes: Buffer): boolean {
  let at = 0;
  while (at + CHECKSUM_BYTES + HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(at + CHECKSUM_BYTES + 1);
    if (size <= HEADER_BYTES) return false;
    at += CHECKSUM_BYTES + size;
  }
  return at === bytes.length;
}
