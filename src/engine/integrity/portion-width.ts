/** Within which bounds a portion grows and shrinks. */
export interface PortionBounds {
  readonly first: number;
  readonly least: number;
  readonly most: number;
  /** A fast portion is followed by one of so many times as much. */
  readonly growth: number;
}

/** A portion that takes longer is followed by one of half as much, a faster one by a larger one, ms. */
const PORTION_MS = { slow: 2_000, fast: 200 } as const;

/** How much a portion holds, by the time that those before took. */
export class PortionWidth {
  readonly #bounds: PortionBounds;
  #now: number;

  constructor(bounds: PortionBounds) {
    this.#bounds = bounds;
    this.#now = bounds.first;
  }

  get now(): number {
    return this.#now;
  }

  /** A portion took so long. */
  took(ms: number): void {
    const { most, growth } = this.#bounds;
    if (ms > PORTION_MS.slow) this.failed();
    if (ms < PORTION_MS.fast) this.#now = Math.min(most, this.#now * growth);
  }

  /** A portion was too large, or could not be looked at. */
  failed(): void {
    this.#now = Math.max(this.#bounds.least, Math.floor(this.#now / 2));
  }
}
