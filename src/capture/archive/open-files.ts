import { LRUCache } from 'lru-cache';
import { RegularFile } from '../../platform/files/regular-file.ts';
import { ForwardReader } from './forward-reader.ts';

/** Files that are read at many places, kept open; the one not used for longest is closed for a new one. */
export class OpenFiles {
  private readonly handles: LRUCache<string, ForwardReader>;
  private readonly signal: AbortSignal | undefined;
  /** Closing, because they made room. */
  private readonly closing = new Set<Promise<void>>();

  /** @param signal ends every read */
  constructor(signal?: AbortSignal, limit = 16) {
    this.signal = signal;
    this.handles = new LRUCache({ max: limit, dispose: (handle) => this.dispose(handle) });
  }

  /** Reads bytes at an offset; fewer if the file ends early. */
  async read(file: string, offset: number, length: number): Promise<Uint8Array> {
    const opened = await this.handle(file);
    return opened.read(offset, length);
  }

  /** The next read opens the file again: its path may be another file now. */
  forget(file: string): void {
    this.handles.delete(file);
  }

  async close(): Promise<void> {
    this.handles.clear();
    await Promise.all(this.closing);
  }

  private async handle(file: string): Promise<ForwardReader> {
    const known = this.handles.get(file);
    if (known) return known;
    const handle = new ForwardReader(await RegularFile.open(file, this.signal));
    this.handles.set(file, handle);
    await Promise.all(this.closing);
    return handle;
  }

  private dispose(handle: ForwardReader): void {
    const closing = handle.close().finally(() => this.closing.delete(closing));
    this.closing.add(closing);
  }
}
