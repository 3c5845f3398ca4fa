/**
 * Checks rules of the code that need its syntax: `src/cli` has no loops and no SQL, every export of `src` is needed by
 * the product or a bench, and functions of `src` and `pipelines` take at most four parameters. Prints every breach as
 * `file:line: what`, and exits with 1 if there is one.
 */
import { cliBreaches } from './layout/cli-code.ts';
import { longParameterLists } from './layout/long-parameters.ts';
import { sourceTrees } from './layout/source-trees.ts';
import { unusedExports } from './layout/unused-exports.ts';

/** Made from the schemas, all of them alike. */
const GENERATED = /^src\/platform\/avro\/generated\.ts/;

const trees = sourceTrees(['src', 'pipelines', 'bench', 'scripts']);
const cli = cliBreaches(trees);
const unused = unusedExports(trees)
  .filter((one) => !GENERATED.test(one))
  .map((one) => `${one} is exported, and nothing but tests needs it`);
const long = longParameterLists(trees.filter(({ file }) => /^(src|pipelines)\//.test(file)));
const breaches = [...cli, ...unused, ...long];
for (const one of breaches) console.error(one);
console.log(
  `cli: ${cli.length} loops and statements; exports for tests alone: ${unused.length}; ` +
    `functions with five or more parameters: ${long.length}`,
);
process.exitCode = breaches.length === 0 ? 0 : 1;
