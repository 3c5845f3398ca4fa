import { SyntaxKind } from 'typescript/unstable/ast';
import { getPlace, type SourceTree, walkNodes } from './source-trees.ts';

/** Files that write to the terminal, after they escape what is not printable. */
const WRITERS = /^src\/platform\/observability\/(terminal|log|progress)\.ts$/;
const RAW = /^(process\.(stdout|stderr)\.write|console\.\w+)$/;

/** Writes of `src` and `pipelines` to a terminal that bypass `printAnswer` and `printNotice`, as `file:line: what`. */
export function rawOutput(trees: readonly SourceTree[]): string[] {
  return trees
    .filter(({ file }) => !WRITERS.test(file))
    .flatMap((one) =>
      [...walkNodes(one.tree)]
        .filter((node) => node.kind === SyntaxKind.PropertyAccessExpression)
        .filter((node) => RAW.test(node.getText(one.tree)))
        .map((node) => `${getPlace(one, node)}: ${node.getText(one.tree)} may print control characters`),
    );
}
