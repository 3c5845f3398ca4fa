import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { getPlace, type SourceTree, walkNodes } from './source-trees.ts';

/** Lines that a function has at most, with its head. */
export const LINE_LIMIT = 80;

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.Constructor,
]);

/** Functions with more lines than the limit, as `file:line: name has N lines`. */
export function longFunctions(trees: readonly SourceTree[]): string[] {
  return trees.flatMap((one) =>
    [...walkNodes(one.tree)].flatMap((node) => {
      if (!FUNCTIONS.has(node.kind)) return [];
      const lines = node.getText(one.tree).split('\n').length;
      if (lines <= LINE_LIMIT) return [];
      const { name } = node as { readonly name?: Node };
      return [
        `${getPlace(one, node)}: ${name?.getText(one.tree) ?? SyntaxKind[node.kind]} has ${lines} lines`,
      ];
    }),
  );
}
