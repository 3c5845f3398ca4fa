/** A decoder stopped inside a record: its earlier rows are invalid. */
export class DecoderStoppedError extends Error {
  override readonly name = 'DecoderStoppedError';
  constructor(key: string, cause: Error) {
    super(`${key}: ${cause.message}`, { cause });
  }
}
