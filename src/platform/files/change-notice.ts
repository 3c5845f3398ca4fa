import { statSync, utimesSync, writeFileSync } from 'node:fs';

/**
 * Notifies other processes of this machine of a change, by the time of an empty file: a poller checks the file first
 * instead of asking a server each second.
 */
export class ChangeNotice {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Something is about to change, or did. */
  notify(): void {
    writeFileSync(this.#file, '', { mode: 0o600 });
    // Truncating an empty file may not change its time.
    const now = new Date();
    utimesSync(this.#file, now, now);
  }

  /** Time of the last notification, Unix time, ms; -Infinity if never. */
  get notifiedAt(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  }
}
