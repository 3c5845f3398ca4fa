import { UnreadableLogError } from '../errors.ts';

/** A sealed file is torn, altered, or belongs to something else. */
export class SealedFileError extends UnreadableLogError {
  readonly file: string;
  readonly expected: string;
  readonly found: string;
  constructor(file: string, expected: string, found: string, next: number | null = null) {
    super(`${file} cannot be used: expected ${expected}, found ${found}`, next);
    this.file = file;
    this.expected = expected;
    this.found = found;
  }

  /** The same, and where readable records may begin again. */
  before(next: number): SealedFileError {
    return this.next === null ? new SealedFileError(this.file, this.expected, this.found, next) : this;
  }
}
