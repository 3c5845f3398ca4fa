import { InterruptedError } from '../platform/errors/error-kinds.ts';

/** A signal stopped the command before its work was finished. Nothing failed. */
export class StoppedError extends InterruptedError {
  constructor(cause?: unknown) {
    super('stopped before the end; run the same command again', { cause });
  }
}
