import { UnavailableError } from '../../../platform/errors/error-kinds.ts';
import type { FramePlace } from '../frame.ts';

/** Frames of a file in a bucket are not at hand: they are fetched, and the work is repeated. */
export class FramesNeededError extends UnavailableError {
  /** Path of the stub. */
  readonly path: string;
  readonly address: string;
  readonly frames: readonly FramePlace[];

  constructor(path: string, address: string, frames: readonly FramePlace[]) {
    super(`${frames.length} parts of ${path} are needed from ${address}`);
    this.path = path;
    this.address = address;
    this.frames = frames;
  }
}
