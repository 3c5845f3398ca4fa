/** More was put into a cell than it can hold, or a number into fewer bits than it needs. */
export class CellOverflowError extends Error {
  override readonly name = 'CellOverflowError';
  readonly what: string;
  readonly limit: number | string;
  readonly found: number | bigint;

  constructor(what: string, limit: number | string, found: number | bigint) {
    super(`cell: ${what}: at most ${limit}, found ${found}`);
    this.what = what;
    this.limit = limit;
    this.found = found;
  }
}
