import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { readStub, splitAddress } from '../../sealed/remote/remote-stub.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';

/** Folder in which a sealed file is, or `s3://bucket/prefix`; null if the file is gone. */
export function findSealed(path: string): string | null {
  try {
    const found = realpathSync(path);
    const stub = readStub(found);
    return stub ? splitAddress(stub.address).folder : dirname(found);
  } catch (error) {
    // An altered stub is where it is: readers name it.
    return error instanceof SealedFileError ? dirname(path) : null;
  }
}
