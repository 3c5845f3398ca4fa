import { dirname, join, normalize } from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { type SourceTree, walkNodes } from './source-trees.ts';

/** An export: the file, and the name that it has there. */
interface Exported {
  readonly file: string;
  readonly name: string;
}

/** Every name of a file: it is imported as a whole, or run by its address. */
const ALL = '*';

/** Exports of `src` that no file but tests needs, as `file: name`. `trees`: all but tests. */
export function unusedExports(trees: readonly SourceTree[]): string[] {
  const used = new Set(
    trees.flatMap((one) => [...findUses(one)].map(({ file, name }) => `${file}: ${name}`)),
  );
  return trees
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap(findExports)
    .filter(({ file, name }) => !used.has(`${file}: ${name}`) && !used.has(`${file}: ${ALL}`))
    .map(({ file, name }) => `${file}: ${name}`);
}

/** Names that a file declares as exported and does not use itself. */
function findExports({ file, tree }: SourceTree): Exported[] {
  const words = new Map<string, number>();
  for (const node of walkNodes(tree))
    if (node.kind === SyntaxKind.Identifier) {
      const name = node.getText(tree);
      words.set(name, (words.get(name) ?? 0) + 1);
    }
  const names: string[] = [];
  tree.forEachChild((node) => {
    if (isExported(node)) names.push(...declaredNames(node, tree));
  });
  return names.filter((name) => words.get(name) === 1).map((name) => ({ file, name }));
}

function isExported(node: Node): boolean {
  const { modifiers } = node as { readonly modifiers?: Iterable<Node> };
  return [...(modifiers ?? [])].some(({ kind }) => kind === SyntaxKind.ExportKeyword);
}

function declaredNames(node: Node, tree: SourceTree['tree']): string[] {
  const { name, declarationList } = node as {
    readonly name?: Node;
    readonly declarationList?: { readonly declarations: Iterable<{ readonly name: Node }> };
  };
  if (name) return [name.getText(tree)];
  return [...(declarationList?.declarations ?? [])].map((one) => one.name.getText(tree));
}

/** Exports that a file uses of others: by name, or all of a file that it names in another way. */
function* findUses({ file, tree }: SourceTree): Generator<Exported> {
  for (const node of walkNodes(tree)) {
    const isNamed = node.kind === SyntaxKind.ImportDeclaration || node.kind === SyntaxKind.ExportDeclaration;
    if (isNamed) yield* namedUses(node, file, tree);
    else if (node.kind === SyntaxKind.StringLiteral && !isSpecifier(node)) {
      const target = toTarget(file, node.getText(tree).slice(1, -1));
      if (target) yield { file: target, name: ALL };
    }
  }
}

const isSpecifier = ({ parent }: Node): boolean =>
  parent?.kind === SyntaxKind.ImportDeclaration || parent?.kind === SyntaxKind.ExportDeclaration;

function* namedUses(node: Node, file: string, tree: SourceTree['tree']): Generator<Exported> {
  const { moduleSpecifier } = node as { readonly moduleSpecifier?: Node };
  const target = moduleSpecifier && toTarget(file, moduleSpecifier.getText(tree).slice(1, -1));
  if (!target) return;
  const names = [...walkNodes(node)].filter(
    ({ kind }) => kind === SyntaxKind.ImportSpecifier || kind === SyntaxKind.ExportSpecifier,
  );
  if (names.length === 0) yield { file: target, name: ALL };
  for (const one of names as (Node & { readonly propertyName?: Node; readonly name: Node })[])
    yield { file: target, name: (one.propertyName ?? one.name).getText(tree) };
}

/** `./x.ts` in `src/a/b.ts` → `src/a/x.ts`; null for modules of others. */
function toTarget(file: string, specifier: string): string | null {
  return /^\.{1,2}\/.*\.ts$/.test(specifier) ? normalize(join(dirname(file), specifier)) : null;
}
