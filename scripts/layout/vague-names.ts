import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { getPlace, type SourceTree, walkNodes } from './source-trees.ts';

/** Functions whose names may end in `Of`, each with the reason. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['anyOf', 'the usual name for alternatives, as in JSON Schema'],
]);

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.FunctionType,
]);

interface Named {
  readonly name?: Node;
  readonly initializer?: Node;
  readonly type?: Node;
}

/**
 * Functions that are called `xOf`, as `file:line: name …`. The name must say what the function does: `toX`, `getX`,
 * `parseX`, `buildX`, `findX`, `readX`, `isX`.
 */
export function vagueNames(trees: readonly SourceTree[]): string[] {
  return trees.flatMap((one) =>
    [...walkNodes(one.tree)].flatMap((node) => {
      const name = isFunction(node) ? (node as Named).name?.getText(one.tree) : undefined;
      if (!name || !/^#?[a-z]\w*Of$/.test(name) || ALLOWED.has(name)) return [];
      return [`${getPlace(one, node)}: ${name} is a vague name: call it toX, getX, parseX, buildX or findX`];
    }),
  );
}

/** True for a function, and for a variable, property or parameter that is one. */
function isFunction(node: Node): boolean {
  const { initializer, type } = node as Named;
  return [node, initializer, type].some((one) => one !== undefined && FUNCTIONS.has(one.kind));
}
