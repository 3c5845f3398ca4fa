/** A decoder stopped in the middle of a record: what it holds of earlier ones is not to be trusted. */
export class DecoderStoppedError extends Error {
  override readonly name = 'DecoderStoppedError';
  constructor(key: string, cause: Error) {
    super(`${key}: ${cause.message}`, { cause });
  }
}
