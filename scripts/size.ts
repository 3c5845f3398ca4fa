/**
 * `node scripts/size.ts [BEFORE] AFTER`: the size of the sources at one commit or at two, and what a change costs: lines of
 * `src`, its fullest folder, and the files that people write for a column, an index table and a setting.
 */
import { parseArgs } from 'node:util';
import { readCommit, UnknownCommitError } from './layout/commit-files.ts';
import { measureTree } from './layout/tree-size.ts';

const HELP =
  'usage: npm run -s measure:size -- [BEFORE] [AFTER] [--help]\n\nAFTER is HEAD if it is not given.\n';

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help || positionals.length > 2) process.stdout.write(HELP);
  else {
    const [after, before] = positionals.toReversed();
    const size = measureTree(readCommit(after ?? 'HEAD'));
    const old = before === undefined ? null : measureTree(readCommit(before));
    for (const [what, { count, text }] of size) {
      const was = old?.get(what);
      const change = was ? `${was.count} (${was.text}) → ` : '';
      console.log(`${what}: ${change}${count} (${text})`);
    }
  }
} catch (error) {
  if (!(error instanceof UnknownCommitError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
