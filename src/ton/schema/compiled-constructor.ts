import type { CellSlice } from '../boc/cell-slice.ts';
import { usedNumbers } from './compile-count.ts';
import { fieldSteps, type Step } from './compile-type.ts';
import { type Extent, type ExtentOfType, extentOfFields, plus } from './extent.ts';
import type { Argument, Names, Scope } from './readers.ts';
import type { Json, JsonFields, Reading } from './reading.ts';
import type { Constructor, Expression } from './syntax.ts';

/** Meaning of names in a constructor, in addition to its own variables. */
export interface Declarations extends Pick<Names, 'declared' | 'refuse'> {
  readonly getExtent: ExtentOfType;
}

const NO_VARIABLES: Scope = new Map();

/** A constructor and its reader, which is made when it is first needed. */
export class CompiledConstructor {
  readonly source: Constructor;
  private readonly names: Names;
  private readonly ofType: ExtentOfType;
  private readonly hasVariables: boolean;
  private steps: readonly Step[] | null = null;
  private known: Extent | null = null;

  constructor(source: Constructor, { getExtent, ...declarations }: Declarations) {
    const { fields, parameters } = source;
    const types = fields.flatMap((field) => (field.kind === 'variable' && field.isType ? [field.name] : []));
    this.source = source;
    this.ofType = getExtent;
    this.names = { numbers: usedNumbers(fields), types: new Set(types), ...declarations };
    this.hasVariables = this.names.numbers.size > 0 || parameters.length > 0;
  }

  /** Makes the reader. @throws SchemaError */
  compile(): readonly Step[] {
    this.steps ??= fieldSteps(this.source.fields, this.names);
    return this.steps;
  }

  /** Bits and references that it takes of its cell, tag included. */
  get extent(): Extent {
    const { tag, fields } = this.source;
    this.known ??= plus({ bits: [tag.bits, tag.bits], refs: [0, 0] }, extentOfFields(fields, this.ofType));
    return this.known;
  }

  /** Whether the cell has enough for it. */
  hasRoom({ bitsLeft, refsLeft }: CellSlice): boolean {
    const { bits, refs } = this.extent;
    return bitsLeft >= bits[0] && refsLeft >= refs[0];
  }

  /** Whether it can take all that the cell has. */
  canTakeAll({ bitsLeft, refsLeft }: CellSlice): boolean {
    const { bits, refs } = this.extent;
    return bitsLeft <= bits[1] && refsLeft <= refs[1];
  }

  /**
   * Returns its variables if the tag matches and the arguments fit, else null. An empty cell matches only if nothing is
   * read.
   */
  fits(slice: CellSlice, args: readonly Argument[], outer: Scope): Scope | null {
    const { tag, fields, parameters } = this.source;
    if (!this.hasRoom(slice) || slice.peekUint(tag.bits) !== tag.value) return null;
    if (tag.bits === 0 && fields.length === 0 && parameters.length === 0 && !slice.done()) return null;
    const scope: Scope = this.hasVariables ? new Map() : NO_VARIABLES;
    return args.every((argument, at) => bind(parameters[at]!, argument, scope, outer)) ? scope : null;
  }

  /** Reads a value at its tag. @throws CellError, LimitError */
  read(reading: Reading, scope: Scope): Json {
    const { name, tag } = this.source;
    const steps = this.compile();
    reading.budget.take(name.length);
    reading.slice.skipBits(tag.bits);
    const shown: JsonFields = name === '' ? {} : { '@type': name };
    for (const step of steps) step(reading, scope, shown);
    return shown;
  }
}

/** Takes an argument for a parameter: a variable, a number that it must be, or the sum of both. */
function bind(parameter: Expression, argument: Argument, scope: Scope, outer: Scope): boolean {
  if (argument.kind === 'type') {
    if (parameter.kind === 'name') scope.set(parameter.name, { read: argument.read, scope: outer });
    return parameter.kind === 'name';
  }
  const value = argument.count(outer);
  if (parameter.kind === 'number') return parameter.value === value;
  if (parameter.kind === 'name') {
    scope.set(parameter.name, value);
    return true;
  }
  if (parameter.kind !== 'sum') return false;
  const { left, right } = parameter;
  if (left.kind !== 'name' || right.kind !== 'number' || value < right.value) return false;
  scope.set(left.name, value - right.value);
  return true;
}
