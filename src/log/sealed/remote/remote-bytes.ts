import type { ByteSource } from '../byte-source.ts';
import type { FramePlace } from '../frame.ts';
import { MAGIC } from '../sealed-index.ts';
import type { RemoteFrames } from './remote-frames.ts';
import type { RemoteStub } from './remote-stub.ts';

/** A sealed file in a bucket: its index is in the stub, the frames come from the cache. */
export class RemoteBytes implements ByteSource {
  readonly bytes: number;
  readonly isRemote = true;
  readonly #path: string;
  readonly #stub: RemoteStub;
  readonly #frames: RemoteFrames;

  constructor(path: string, stub: RemoteStub, frames: RemoteFrames) {
    this.#path = path;
    this.#stub = stub;
    this.#frames = frames;
    this.bytes = stub.bytes;
  }

  read(at: number, length: number): Buffer {
    const { end, bytes, address } = this.#stub;
    const inEnd = at - (bytes - end.length);
    if (inEnd >= 0) return end.subarray(inEnd, inEnd + length);
    if (at === 0 && length === MAGIC.length) return MAGIC;
    const frame = this.#frames.take(address, at);
    return Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  }

  prepare(needed: readonly FramePlace[], later: readonly FramePlace[]): void {
    this.#frames.require({ path: this.#path, address: this.#stub.address }, needed, later);
  }

  close(): void {}
}
