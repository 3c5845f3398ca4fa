import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { getPlace, type SourceTree, walkNodes } from './source-trees.ts';

/** Parameters that a function takes at most; more are grouped in one object. */
export const PARAMETER_LIMIT = 4;

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.FunctionType,
  SyntaxKind.Constructor,
]);

interface Parametric {
  readonly parameters?: { readonly length: number };
  readonly name?: Node;
}

/** Functions with more parameters than the limit, as `file:line: name takes N parameters`. */
export function longParameterLists(trees: readonly SourceTree[]): string[] {
  return trees.flatMap((one) =>
    [...walkNodes(one.tree)].flatMap((node) => {
      if (!FUNCTIONS.has(node.kind)) return [];
      const { parameters, name } = node as Parametric;
      const count = parameters?.length ?? 0;
      if (count <= PARAMETER_LIMIT) return [];
      const called = name ? name.getText(one.tree) : SyntaxKind[node.kind];
      return [`${getPlace(one, node)}: ${called} takes ${count} parameters`];
    }),
  );
}
