/** What is wrong with a package. */
export type PackErrorCode =
  | 'magic' // not a package
  | 'entry' // no entry where one should begin
  | 'name' // a block's entry whose name cannot be read
  | 'truncated' // the file ends within an entry
  | 'hash' // an entry's bytes do not have the hashes of its name
  | 'block'; // an entry that should be a block is none

/** A package that cannot be read, with the file and the byte where. */
export class PackError extends Error {
  override readonly name = 'PackError';
  readonly code: PackErrorCode;
  readonly file: string;
  /** Of the entry, from the start of the file. */
  readonly offset: number;

  constructor(code: PackErrorCode, file: string, offset: number, detail: string, options?: ErrorOptions) {
    super(`${file} at byte ${offset}: ${detail}`, options);
    this.code = code;
    this.file = file;
    this.offset = offset;
  }
}
