/**
 * Checks rules that need the syntax of the code: `src/cli` has no loops and no SQL, the product or a bench needs every
 * export of `src`, and functions of `src` and `pipelines` take at most four parameters and are not called `xOf`. Both import only packages of an
 * install without development packages, need all of these, and write to a terminal by functions that escape. Error classes extend a kind.
 * Functions have at most 80 lines. Prints every violation as `file:line: what`, and exits with 1 if there is one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliBreaches } from './layout/cli-code.ts';
import { errorsWithoutKind } from './layout/errors-without-kind.ts';
import { LINE_LIMIT, longFunctions } from './layout/long-functions.ts';
import { longParameterLists } from './layout/long-parameters.ts';
import { rawOutput } from './layout/raw-output.ts';
import { sourceTrees } from './layout/source-trees.ts';
import { undeclaredPackages, unneededPackages } from './layout/undeclared-packages.ts';
import { unusedExports } from './layout/unused-exports.ts';
import { vagueNames } from './layout/vague-names.ts';

/** Made from the schemas, all of them alike. */
const GENERATED = /^src\/platform\/avro\/generated\.ts/;
/** Modules that users of the package import, by `exports` of package.json. */
const ENTRIES = /^src\/(testing\/testing|client\/client)\.ts/;

const trees = sourceTrees(['src', 'pipelines', 'bench', 'scripts']);
const cli = cliBreaches(trees);
const unused = unusedExports(trees)
  .filter((one) => !GENERATED.test(one) && !ENTRIES.test(one))
  .map((one) => `${one} is exported, and nothing but tests needs it`);
const product = trees.filter(({ file }) => /^(src|pipelines)\//.test(file));
const long = longParameterLists(product);
const manifest = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
const undeclared = undeclaredPackages(product, new Set(Object.keys(dependencies)));
const unneeded = unneededPackages(product, Object.keys(dependencies));
const raw = rawOutput(product);
const vague = vagueNames(product);
const kindless = errorsWithoutKind(product);
const longer = longFunctions(trees);
const breaches = [
  ...cli,
  ...unused,
  ...long,
  ...undeclared,
  ...unneeded,
  ...raw,
  ...vague,
  ...kindless,
  ...longer,
];
for (const one of breaches) console.error(one);
console.log(
  `cli: ${cli.length} loops and statements; exports for tests alone: ${unused.length}; ` +
    `functions with five or more parameters: ${long.length}; packages not declared: ${undeclared.length}, ` +
    `not needed: ${unneeded.length}; raw output: ${raw.length}; functions called xOf: ${vague.length}; ` +
    `errors without a kind: ${kindless.length}; functions of more than ${LINE_LIMIT} lines: ${longer.length}`,
);
process.exitCode = breaches.length === 0 ? 0 : 1;
