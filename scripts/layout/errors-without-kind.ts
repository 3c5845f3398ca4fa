import { SyntaxKind } from 'typescript/unstable/ast';
import { getPlace, type SourceTree, walkNodes } from './source-trees.ts';

/** Folders that import nothing of the platform, and the home of the kinds. */
const EXEMPT = /^src\/(client|tables|ton|tvm)\/|^src\/platform\/errors\/error-kinds\.ts$/;

interface ClassNode {
  readonly name?: { readonly text: string };
  readonly heritageClauses?: readonly { getText(tree: unknown): string }[];
}

/** Classes that extend `Error` directly, as `file:line: …`: the kind decides retries, exit codes and HTTP statuses. */
export function errorsWithoutKind(trees: readonly SourceTree[]): string[] {
  return trees
    .filter(({ file }) => !EXEMPT.test(file))
    .flatMap((one) =>
      [...walkNodes(one.tree)].flatMap((node) => {
        if (node.kind !== SyntaxKind.ClassDeclaration && node.kind !== SyntaxKind.ClassExpression) return [];
        const { name, heritageClauses = [] } = node as unknown as ClassNode;
        if (!heritageClauses.some((clause) => clause.getText(one.tree) === 'extends Error')) return [];
        return [`${getPlace(one, node)}: ${name?.text} extends Error: extend a kind of src/platform/errors`];
      }),
    );
}
