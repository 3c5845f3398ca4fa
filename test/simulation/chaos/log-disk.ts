import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Enough for all rounds of a run; small enough to be filled at once. */
const SIZE_MB = 384;
const CHUNK = Buffer.alloc(1 << 20);

/** A small file system of its own for the broker's log, so that its disk can be full. */
export class LogDisk {
  readonly folder: string;
  readonly #isMounted: boolean;

  private constructor(folder: string, isMounted: boolean) {
    this.folder = folder;
    this.#isMounted = isMounted;
  }

  /** A plain folder if this process may not mount: `canFill` shows it. */
  static make(): LogDisk {
    const folder = mkdtempSync(join(tmpdir(), 'tonhouse-chaos-log-'));
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder]);
    const disk = new LogDisk(folder, status === 0);
    // However this process ends, short of kill -9: a mount outlives it.
    process.once('exit', () => disk.remove());
    return disk;
  }

  get canFill(): boolean {
    return this.#isMounted;
  }

  /** Takes every free byte. */
  fill(): void {
    if (!this.#isMounted) throw new Error(`${this.folder} is not a file system of its own`);
    const file = openSync(this.#filler, 'w');
    try {
      for (;;) if (writeSync(file, CHUNK) < CHUNK.length) break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** A second call does nothing. */
  remove(): void {
    if (!existsSync(this.folder)) return;
    if (this.#isMounted) spawnSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #filler(): string {
    return join(this.folder, 'filler');
  }
}
