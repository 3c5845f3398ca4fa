import { CellError } from '../boc/cell-error.ts';
import { builtIn } from './built-in-types.ts';
import { compileCount, isCount, usedNumbers } from './compile-count.ts';
import type { Argument, Bound, Names, Read, Scope } from './readers.ts';
import type { JsonFields, Reading } from './reading.ts';
import type { Comparison, Expression, Field } from './syntax.ts';

/** Makes the reader of a type. @throws SchemaError */
export function compileType(expression: Expression, names: Names): Read {
  switch (expression.kind) {
    case 'name':
      return compileName(expression.name, expression.args, names);
    case 'cell':
      return compileCell(expression.of, names);
    case 'fields':
      return compileFields(expression.fields, names);
    case 'product':
      return compileRepeat(expression.left, expression.right, names);
    default:
      return names.refuse(`a ${expression.kind} is no type`);
  }
}

function compileName(name: string, args: readonly Expression[], names: Names): Read {
  if (names.types.has(name)) {
    return (reading, scope) => {
      const bound = scope.get(name) as Bound;
      return bound.read(reading, bound.scope);
    };
  }
  const known = builtIn(name);
  if (!known)
    return names.declared(
      name,
      args.map((one) => compileArgument(one, names)),
    );
  if (args.length !== known.takes.length)
    return names.refuse(`${name} takes ${known.takes.length} arguments, not ${args.length}`);
  const of = (kind: Argument['kind']) => args.filter((_, at) => known.takes[at] === kind);
  return known.make(
    of('number').map((one) => compileCount(one, names)),
    of('type').map((one) => compileParameter(one, names)),
  );
}

function compileArgument(expression: Expression, names: Names): Argument {
  return isCount(expression, names)
    ? { kind: 'number', count: compileCount(expression, names) }
    : { kind: 'type', read: compileParameter(expression, names) };
}

/**
 * The reader of a type that another one takes. A cell of a declared type is shown as an object of its own there, which
 * cells that fields have are not.
 */
function compileParameter(expression: Expression, names: Names): Read {
  const read = compileType(expression, names);
  if (expression.kind !== 'cell' || isUntyped(expression.of)) return read;
  return (reading, scope) => ({ cell_reference: read(reading, scope) });
}

function isUntyped(expression: Expression): boolean {
  return expression.kind === 'name' && (expression.name === 'Cell' || expression.name === 'Any');
}

function compileCell(of: Expression, names: Names): Read {
  if (isUntyped(of)) return builtIn('^Cell')!.make([], []);
  const read = compileType(of, names);
  return (reading, scope) => reading.deeper(() => reading.reference(() => read(reading, scope)));
}

/** `[ a:X b:Y ]`: an object without `@type`. */
function compileFields(fields: readonly Field[], outer: Names): Read {
  const steps = fieldSteps(fields, { ...outer, numbers: outer.numbers.union(usedNumbers(fields)) });
  return (reading, scope) => {
    reading.budget.take(0);
    const shown: JsonFields = {};
    for (const step of steps) step(reading, scope, shown);
    return shown;
  };
}

/** `n * X`: the values; of bits their hex. */
function compileRepeat(left: Expression, right: Expression, names: Names): Read {
  const count = compileCount(left, names);
  if (right.kind === 'name' && right.name === 'Bit') return builtIn('bits')!.make([count], []);
  const read = compileType(right, names);
  return (reading, scope) => {
    reading.budget.take(0);
    return Array.from({ length: count(scope) }, () => {
      reading.budget.take(0);
      return read(reading, scope);
    });
  };
}

/** One field or condition of a constructor: puts what it reads into the object. */
export type Step = (reading: Reading, scope: Scope, shown: JsonFields) => void;

/** @throws SchemaError */
export function fieldSteps(fields: readonly Field[], names: Names): Step[] {
  return fields.flatMap((field) => {
    if (field.kind === 'variable') return [];
    return field.kind === 'constraint' ? [constraintStep(field, names)] : [fieldStep(field, names)];
  });
}

function fieldStep({ name, type }: Extract<Field, { kind: 'field' }>, names: Names): Step {
  if (type.kind === 'optional') return optionalStep(name, type, names);
  const read = compileType(type, names);
  if (!names.numbers.has(name)) {
    return (reading, scope, shown) => {
      shown[name] = read(reading, scope);
    };
  }
  return (reading, scope, shown) => {
    const value = read(reading, scope);
    shown[name] = value;
    scope.set(name, Number(value));
  };
}

/** `name:flag?X` and `name:flags.3?X`: absent if the flag is 0. */
function optionalStep(
  name: string,
  { flag, bit, of }: Extract<Expression, { kind: 'optional' }>,
  names: Names,
): Step {
  if (!names.numbers.has(flag)) return names.refuse(`${flag} is no number`);
  const read = compileType(of, names);
  return (reading, scope, shown) => {
    const flags = scope.get(flag) as number;
    if (bit === null ? flags !== 0 : Math.floor(flags / 2 ** bit) % 2 === 1)
      shown[name] = read(reading, scope);
  };
}

const COMPARISONS: Readonly<Record<Comparison, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '=': (left, right) => left === right,
  '>=': (left, right) => left >= right,
  '>': (left, right) => left > right,
};

function constraintStep(constraint: Extract<Field, { kind: 'constraint' }>, names: Names): Step {
  const [left, right] = [compileCount(constraint.left, names), compileCount(constraint.right, names)];
  const { comparison } = constraint;
  return ({ slice: { cell, bitPosition: bit } }, scope) => {
    const [found, other] = [left(scope), right(scope)];
    if (COMPARISONS[comparison](found, other)) return;
    throw new CellError('value', {
      cell,
      bit,
      what: 'constraint',
      expected: `${comparison} ${other}`,
      found,
    });
  };
}
