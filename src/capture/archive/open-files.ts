import { type FileHandle, open } from 'node:fs/promises';

/** Files that are read at many places, kept open; the one not used for longest is closed for a new one. */
export class OpenFiles {
  private readonly limit: number;
  private readonly handles = new Map<string, FileHandle>();

  constructor(limit = 16) {
    this.limit = limit;
  }

  /** The bytes at a place; fewer where the file ends before. */
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
    const handles = [...this.handles.values()];
    this.handles.clear();
    await Promise.all(handles.map((handle) => handle.close()));
  }

  private async handle(file: string): Promise<FileHandle> {
    const known = this.handles.get(file);
    const handle = known ?? (await open(file, 'r'));
    this.handles.delete(file);
    this.handles.set(file, handle);
    const [oldest] = this.handles;
    if (this.handles.size > this.limit && oldest) {
      this.handles.delete(oldest[0]);
      await oldest[1].close();
    }
    return handle;
  }
}
