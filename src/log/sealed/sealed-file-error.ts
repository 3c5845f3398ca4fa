import { UnreadableLogError } from '../errors.ts';

/** A sealed file is torn, altered, or belongs to something else. */
export class SealedFileError extends UnreadableLogError {
  readonly file: string;
  readonly expected: string;
  readonly found: string;
  constructor(file: string, expected: string, found: string) {
    super(`${file} cannot be used: expected ${expected}, found ${found}`);
    this.file = file;
    this.expected = expected;
    this.found = found;
  }
}
