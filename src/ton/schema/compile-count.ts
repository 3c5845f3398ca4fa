import type { Count, Names } from './readers.ts';
import type { Expression, Field } from './syntax.ts';

/** Makes a number of an expression. @throws SchemaError */
export function compileCount(expression: Expression, names: Names): Count {
  switch (expression.kind) {
    case 'number':
      return () => expression.value;
    case 'name': {
      const { name } = expression;
      if (!names.numbers.has(name)) return names.refuse(`${name} is no number`);
      return (scope) => scope.get(name) as number;
    }
    case 'sum':
    case 'product': {
      const [left, right] = [compileCount(expression.left, names), compileCount(expression.right, names)];
      return expression.kind === 'sum'
        ? (scope) => left(scope) + right(scope)
        : (scope) => left(scope) * right(scope);
    }
    default:
      return names.refuse(`a ${expression.kind} is no number`);
  }
}

/** Whether an argument is a number; else it is a type. */
export function isCount(expression: Expression, { numbers }: Names): boolean {
  if (expression.kind === 'name') return expression.args.length === 0 && numbers.has(expression.name);
  return ['number', 'sum', 'product'].includes(expression.kind);
}

/** The fields and number variables of a constructor that its expressions use. */
export function usedNumbers(fields: readonly Field[]): Set<string> {
  const used = new Set<string>();
  for (const field of fields) {
    const expressions =
      field.kind === 'field' ? [field.type] : field.kind === 'constraint' ? [field.left, field.right] : [];
    for (const expression of expressions) addNames(expression, used);
  }
  const named = fields.flatMap((field) =>
    field.kind === 'constraint' || (field.kind === 'variable' && field.isType) ? [] : [field.name],
  );
  return used.intersection(new Set(named));
}

/** Adds all names in an expression. */
function addNames(expression: Expression, found: Set<string>): void {
  switch (expression.kind) {
    case 'number':
      return;
    case 'name':
      found.add(expression.name);
      for (const argument of expression.args) addNames(argument, found);
      return;
    case 'fields':
      for (const field of expression.fields) if (field.kind === 'field') addNames(field.type, found);
      return;
    case 'optional':
      found.add(expression.flag);
      addNames(expression.of, found);
      return;
    case 'cell':
      addNames(expression.of, found);
      return;
    default:
      addNames(expression.left, found);
      addNames(expression.right, found);
  }
}
