import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeadLetter } from './dead-letter-list.ts';

/** A letter without its bytes: the output of `list --json` and the facts next to exported bytes. */
export function getFacts({ id, key, tries, record }: DeadLetter) {
  return { id, key, tries, bytes: record.value.byteLength, ...record.headers };
}

/** Writes the bytes (`<id>.bin`) and the facts (`<id>.json`) of letters into a folder, which is made. */
export function writeDeadLetters(letters: readonly DeadLetter[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const letter of letters) {
    writeFileSync(join(folder, `${letter.id}.bin`), letter.record.value);
    writeFileSync(join(folder, `${letter.id}.json`), `${JSON.stringify(getFacts(letter), null, 2)}\n`);
  }
}
