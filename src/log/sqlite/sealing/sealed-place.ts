import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { readStubAddress, splitAddress } from '../../sealed/remote/remote-stub.ts';

/** Folder in which a sealed file is, or `s3://bucket/prefix`; null if the file is gone. */
export function findSealed(path: string): string | null {
  try {
    const found = realpathSync(path);
    const address = readStubAddress(found);
    return address === null ? dirname(found) : splitAddress(address).folder;
  } catch {
    return null;
  }
}
