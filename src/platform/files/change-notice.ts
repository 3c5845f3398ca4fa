import { statSync, utimesSync, writeFileSync } from 'node:fs';

/**
 * Tells other processes of this machine that something changed, by the time of an empty file: whoever would ask a server each
 * second looks at that first.
 */
export class ChangeNotice {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Something is about to change, or did. */
  tell(): void {
    writeFileSync(this.#file, '', { mode: 0o600 });
    // Emptying an empty file may leave its time as it is.
    const now = new Date();
    utimesSync(this.#file, now, now);
  }

  /** When it was last told, Unix time, ms; -Infinity where it never was. */
  get toldAt(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  }
}
