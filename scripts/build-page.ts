/**
 * Builds the page (web/): web/build has the files that the server sends. With `--check` it
 * writes nothing, and exits with 1 if the files are not those of the sources.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { factsPlugin } from './page/facts.ts';

const root = join(import.meta.dirname, '..');
const FOLDER = 'web/build';
/** Packages that the script contains. */
const PACKAGES = ['preact', 'uplot'];

async function buildScript(): Promise<string> {
  const bundle = await rolldown({
    input: join(root, 'web/main.tsx'),
    platform: 'browser',
    logLevel: 'warn',
    plugins: [factsPlugin],
    tsconfig: join(root, 'web/tsconfig.json'),
    transform: { target: 'es2023' },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk, ...others] = output;
  if (others.length > 0)
    throw new Error(`the page has one script, and the build made ${output.length} files`);
  return `/* Licences: /web/licences.txt */\n${chunk.code.trimEnd()}\n`;
}

function buildStyles(): string {
  const read = (path: string) => readFileSync(join(root, path), 'utf8').trim();
  return `${read('node_modules/uplot/dist/uPlot.min.css')}\n${read('web/page.css')}\n`;
}

/** Licences of what the script contains. */
function buildLicences(): string {
  const read = (name: string) => readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim();
  return PACKAGES.map((name) => `${name}\n\n${read(name)}\n`).join('\n');
}

const read = (name: string) => readFileSync(join(root, 'web', name), 'utf8');
const files = {
  'index.html': read('index.html'),
  'icon.svg': read('icon.svg'),
  'page.js': await buildScript(),
  'page.css': buildStyles(),
  'licences.txt': buildLicences(),
};
for (const [name, text] of Object.entries(files)) {
  const path = `${FOLDER}/${name}`;
  if (!process.argv.includes('--check')) writeFileSync(join(root, path), text);
  else if (readFileSync(join(root, path), 'utf8') !== text) {
    console.error(`${path} is not built from its sources: run npm run build:page`);
    process.exitCode = 1;
  }
}
if (process.exitCode !== 1) console.log('page: ok');
