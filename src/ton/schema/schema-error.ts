/** A TL-B text that cannot be used. The message names the text and the line. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  /** `source`: the file or part that the text is from; `line` counts from 1. */
  constructor(source: string, line: number, what: string) {
    super(`${source}:${line}: ${what}`);
  }
}
