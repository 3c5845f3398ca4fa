import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../platform/files/private-directory.ts';

/** Address at which a running chain takes commands; the file is readable by its owner only. */
export interface ControlAddress {
  readonly port: number;
  /** Hex. A reader of the file may command the chain; other local users and web pages may not. */
  readonly token: string;
}

const NAME = 'control.json';

/** Writes the address of a running chain to its state folder. */
export function writeControlFile(directory: string, address: ControlAddress): void {
  writePrivateFile(join(directory, NAME), JSON.stringify(address));
}

/** Takes the file away, unless another process has written its own meanwhile. */
export function removeControlFile(directory: string, { token }: ControlAddress): void {
  if (readControlFile(directory)?.token === token) rmSync(join(directory, NAME), { force: true });
}

/** null if no chain has written it. */
export function readControlFile(directory: string): ControlAddress | null {
  let text: string;
  try {
    text = readFileSync(join(directory, NAME), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return JSON.parse(text) as ControlAddress;
}
