import { closeSync, openSync, statSync } from 'node:fs';
import { DataError } from '../../errors/error-kinds.ts';
import { loadFfi } from '../../native/load-ffi.ts';
import { readColdFolder } from './cold-folder.ts';

/** The C library as this process has it: the empty path names the program itself. */
const LIBRARY = 'libc';
/** `syncfs` is Linux's; elsewhere the server syncs each part (server-config.ts). */
export const HAS_DISK_FLUSH = process.platform === 'linux';

/** The file systems of a store's files: that of the cold folder first, because its parts replace deleted ones. */
export class StoreFlush {
  readonly #directory: string;
  #disks: readonly DiskFlush[] | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when everything that was written before the call is on the disks. Throws `DiskFlushError`. */
  async flush(): Promise<void> {
    this.#disks ??= this.#folders().map((folder) => new DiskFlush(folder));
    for (const disk of this.#disks) await disk.flush();
  }

  #folders(): readonly string[] {
    const cold = readColdFolder(this.#directory);
    const isElsewhere = cold !== null && statSync(cold).dev !== statSync(this.#directory).dev;
    return isElsewhere ? [cold, this.#directory] : [this.#directory];
  }
}

/** The disk refused to take what was written: it may be lost in a power cut. */
export class DiskFlushError extends DataError {
  readonly directory: string;
  constructor(directory: string) {
    super(`the file system of ${directory} reported an error while it wrote to the disk (syncfs)`);
    this.directory = directory;
  }
}

/**
 * Flushes the file system of a directory: one call for all files and names. A call for each of an insert's hundreds of
 * files takes seconds (docs/decisions/0016). Concurrent calls share the next flush.
 */
class DiskFlush {
  readonly #directory: string;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(directory: string) {
    this.#directory = directory;
    loadFfi().open({ library: LIBRARY, path: '' });
  }

  /** Resolves when everything that was written before the call is on the disk. Throws `DiskFlushError`. */
  flush(): Promise<void> {
    if (!this.#running) return this.#start();
    // The flush under way may have passed what the caller wrote.
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = null;
    this.#running = this.#sync().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #sync(): Promise<void> {
    const { DataType, load } = loadFfi();
    const folder = openSync(this.#directory, 'r');
    try {
      const failed = await load({
        library: LIBRARY,
        funcName: 'syncfs',
        retType: DataType.I32,
        paramsType: [DataType.I32],
        paramsValue: [folder],
        runInNewThread: true,
      });
      if (failed !== 0) throw new DiskFlushError(this.#directory);
    } finally {
      closeSync(folder);
    }
  }
}
