/** Bytes that are not the expected TL value, or a value that TL cannot carry. */
export class TlError extends Error {
  override readonly name = 'TlError';
  /** The type and field, such as `blockData.id.seqno`. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;

  constructor(where: string, expected: string, found: string) {
    super(`${where}: expected ${expected}, found ${found}`);
    this.where = where;
    this.expected = expected;
    this.found = found;
  }
}
