import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConflictError } from '../platform/errors/error-kinds.ts';
import { ensurePrivateDirectory, writePrivateFile } from '../platform/files/private-directory.ts';

/** Folder of a data directory's lite server. */
const FOLDER = 'liteserver';
const KEY = 'key';
/** Global configuration for clients. */
const CONFIG = 'global.config.json';

/** The key file does not hold a key. */
export class LiteKeyError extends ConflictError {
  constructor(file: string) {
    super(`${file}: expected 64 hex digits, the seed of an Ed25519 key`);
  }
}

/** Seed of the server's Ed25519 key: it is made once and kept in the data directory. @throws LiteKeyError */
export function readServerKey(data: string): Uint8Array {
  const file = join(data, FOLDER, KEY);
  ensurePrivateDirectory(join(data, FOLDER));
  if (!existsSync(file)) writePrivateFile(file, `${randomBytes(32).toString('hex')}\n`);
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new LiteKeyError(file);
  return Buffer.from(text, 'hex');
}

/** Writes the global configuration of a running server. @returns its path */
export function writeClientConfig(data: string, text: string): string {
  const file = join(data, FOLDER, CONFIG);
  writePrivateFile(file, text);
  return file;
}
