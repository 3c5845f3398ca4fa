import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { getPlace, type SourceTree, walkNodes } from './source-trees.ts';

const LOOPS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ForStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
]);
const TEXTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateExpression,
]);
/** The beginning of a statement. Words for people are written in lower case, and continue otherwise. */
const SQL =
  /^.\s*(SELECT|WITH|INSERT INTO|ALTER|CREATE|DROP|DELETE FROM|TRUNCATE|SYSTEM|OPTIMIZE|CHECK TABLE|ATTACH|EXCHANGE|KILL)\s/;
/** Methods of the store's client that take a statement or a table; `command` is commander's too. */
const STATEMENTS =
  /\.(queryRows|queryObjects|queryText|queryBytes|queryStream|insertNative|forEach)$|\b(client|reader|store)\.command$/;

/** Loops and store statements in `src/cli`, as `file:line: what`: this folder only connects parts and prints. */
export function cliBreaches(trees: readonly SourceTree[]): string[] {
  return trees
    .filter(({ file }) => file.startsWith('src/cli/') || file === 'src/main.ts')
    .flatMap((one) =>
      [...walkNodes(one.tree)].flatMap((node) => {
        const what = findBreach(node, one);
        return what === null ? [] : [`${getPlace(one, node)}: ${what} in src/cli`];
      }),
    );
}

function findBreach(node: Node, { tree }: SourceTree): string | null {
  if (LOOPS.has(node.kind)) return 'a loop';
  if (TEXTS.has(node.kind) && SQL.test(node.getText(tree))) return 'SQL';
  if (node.kind === SyntaxKind.PropertyAccessExpression) {
    const called = STATEMENTS.exec(node.getText(tree));
    if (called) return called[1] === 'forEach' ? 'a loop' : 'a statement of the store';
  }
  return null;
}
