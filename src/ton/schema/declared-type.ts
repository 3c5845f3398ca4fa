import { CellError } from '../boc/cell-error.ts';
import { attempt } from './attempt.ts';
import type { CompiledConstructor } from './compiled-constructor.ts';
import { type Extent, uniteExtents } from './extent.ts';
import type { Argument, Scope } from './readers.ts';
import type { Json, Reading } from './reading.ts';

/** A type: its constructors in the order of the text. */
export class DeclaredType {
  readonly constructors: readonly CompiledConstructor[];
  /** Two constructors without fields, `$0` and `$1`: shown as false and true. */
  private readonly isTruthValue: boolean;
  private known: Extent | null = null;
  private isVisited = false;

  constructor(constructors: readonly CompiledConstructor[]) {
    this.constructors = constructors;
    this.isTruthValue =
      constructors.length === 2 &&
      constructors.every(
        ({ source: { tag, fields } }, at) => tag.bits === 1 && tag.value === at && fields.length === 0,
      );
  }

  /** Extent of a value in its cell; null while that is being worked out: a type that goes on within itself. */
  get extent(): Extent | null {
    if (this.known || this.isVisited) return this.known;
    this.isVisited = true;
    this.known = uniteExtents(this.constructors.map(({ extent }) => extent));
    return this.known;
  }

  get parameters(): number {
    return this.constructors[0]!.source.parameters.length;
  }

  /**
   * Reads by the first constructor whose tag is there, whose parameters fit and which can be read.
   * @throws CellError, LimitError
   */
  read(reading: Reading, args: readonly Argument[], outer: Scope): Json {
    if (this.isTruthValue) {
      reading.budget.take(4);
      return reading.slice.bit();
    }
    let failure: CellError | null = null;
    for (const one of this.constructors) {
      const scope = one.fits(reading.slice, args, outer);
      if (!scope) continue;
      const value = attempt(reading, () => one.read(reading, scope));
      if (!(value instanceof CellError)) return value;
      failure ??= value;
    }
    if (failure) throw failure;
    const { cell, bitPosition: bit } = reading.slice;
    const what = this.constructors[0]!.source.type;
    throw new CellError('tag', { cell, bit, what, expected: 'one of its constructors' });
  }
}
