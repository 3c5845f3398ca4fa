/** A signal stopped the command before its work was finished. Nothing failed. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';

  constructor(cause?: unknown) {
    super('stopped before the end; run the same command again', { cause });
  }
}
