import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';

/** Files that are read at many places, kept open; the one not used for longest is closed for a new one. */
export class OpenFiles {
  private readonly handles: LRUCache<string, FileHandle>;
  /** Closing, because they made room. */
  private readonly closing = new Set<Promise<void>>();

  constructor(limit = 16) {
    this.handles = new LRUCache({ max: limit, dispose: (handle) => this.dispose(handle) });
  }

  /** Reads bytes at an offset; fewer if the file ends early. */
  async read(file: string, offset: number, length: number): Promise<Uint8Array> {
    const handle = await this.handle(file);
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) return bytes.subarray(0, done);
      done += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    this.handles.clear();
    await Promise.all(this.closing);
  }

  private async handle(file: string): Promise<FileHandle> {
    const known = this.handles.get(file);
    if (known) return known;
    const handle = await open(file, 'r');
    this.handles.set(file, handle);
    await Promise.all(this.closing);
    return handle;
  }

  private dispose(handle: FileHandle): void {
    const closing = handle.close().finally(() => this.closing.delete(closing));
    this.closing.add(closing);
  }
}
