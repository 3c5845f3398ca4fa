import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { getPlace, type SourceTree, walkNodes } from './source-trees.ts';

/** Imports of packages that are not in `declared`, as `file:line: what`. Imports of types need no package at run time. */
export function undeclaredPackages(trees: readonly SourceTree[], declared: ReadonlySet<string>): string[] {
  return trees.flatMap((one) =>
    [...walkNodes(one.tree)].flatMap((node) => {
      const name = toPackage(importedText(node, one.tree));
      if (name === null || declared.has(name)) return [];
      return [`${getPlace(one, node)}: ${name} is imported and is not in "dependencies"`];
    }),
  );
}

/** The program itself, files that are read by their path, and what the package of these files requires as a peer. */
const NEEDED_WITHOUT_IMPORT: readonly string[] = ['node', '@ton/sandbox', '@ton/core'];

/** Packages of "dependencies" that no file imports: an install would fetch them for nothing. */
export function unneededPackages(trees: readonly SourceTree[], declared: readonly string[]): string[] {
  const imported = new Set(
    trees.flatMap(({ tree }) => [...walkNodes(tree)].map((node) => toPackage(importedText(node, tree)))),
  );
  return declared
    .filter((name) => !imported.has(name) && !NEEDED_WITHOUT_IMPORT.includes(name))
    .map((name) => `package.json: ${name} is in "dependencies" and no file imports it`);
}

/** The module that a node imports; '' if it imports none, or only types. */
function importedText(node: Node, tree: SourceTree['tree']): string {
  const { moduleSpecifier, importClause, isTypeOnly, expression } = node as {
    readonly moduleSpecifier?: Node;
    readonly importClause?: Node;
    readonly isTypeOnly?: boolean;
    readonly expression?: Node;
  };
  if (node.kind === SyntaxKind.ImportDeclaration || node.kind === SyntaxKind.ExportDeclaration) {
    const isType = isTypeOnly || /^type\b/.test(importClause?.getText(tree) ?? '');
    return moduleSpecifier && !isType ? moduleSpecifier.getText(tree).slice(1, -1) : '';
  }
  if (node.kind !== SyntaxKind.CallExpression || expression?.kind !== SyntaxKind.ImportKeyword) return '';
  return /^import\(\s*['"]([^'"]+)['"]/.exec(node.getText(tree))?.[1] ?? '';
}

/** `@a/b/c` → `@a/b`, `a/b` → `a`; null for files of the project and modules of Node. */
function toPackage(imported: string): string | null {
  if (imported === '' || /^[./]|^node:/.test(imported)) return null;
  const parts = imported.split('/');
  return parts.slice(0, imported.startsWith('@') ? 2 : 1).join('/');
}
