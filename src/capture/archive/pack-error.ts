import { DataError } from '../../platform/errors/error-kinds.ts';

/** Defect of a package. */
export type PackErrorCode =
  | 'magic' // not a package
  | 'entry' // no entry where one should begin
  | 'name' // a block's entry whose name cannot be read
  | 'truncated' // the file ends within an entry
  | 'shrunk' // the file ends before a place up to which it was read
  | 'size' // an entry that is too large for a block
  | 'hash' // an entry's bytes do not have the hashes of its name
  | 'block'; // an entry that should be a block is none

/** An entry of a package. */
export interface PackPlace {
  readonly file: string;
  /** Offset of the entry from the start of the file. */
  readonly offset: number;
}

/** A package that cannot be read, with the file and the byte where. */
export class PackError extends DataError {
  readonly code: PackErrorCode;
  readonly file: string;
  /** Offset of the entry from the start of the file. */
  readonly offset: number;

  constructor(code: PackErrorCode, { file, offset }: PackPlace, detail: string, options?: ErrorOptions) {
    super(`${file} at byte ${offset}: ${detail}`, options);
    this.code = code;
    this.file = file;
    this.offset = offset;
  }
}
