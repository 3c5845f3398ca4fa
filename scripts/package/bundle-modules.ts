import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { listFiles } from './compiled-files.ts';

/** A module that a thread or an import starts by its address. */
const STARTED = /new URL\('(\.[^']*\.js)', import\.meta\.url\)/g;
const IMPORTED = /(?:from|import) '(\.[^']*\.js)'/g;
const FOLDER = 'modules';

/**
 * Joins the compiled modules of `dist` into few files: Node spends a third of a millisecond on each module that it loads, in
 * each thread. Modules that are started by their address keep it, and name the joined file. `kept`: modules that the package
 * exports; they and what they import stay as they are.
 */
export async function bundleModules(dist: string, main: string, kept: readonly string[]): Promise<void> {
  const all = listFiles(dist, '.js').filter((name) => /^(src|pipelines)\//.test(name));
  const sources = new Map(all.map((name) => [join(dist, name), readFileSync(join(dist, name), 'utf8')]));
  const entries = [join(dist, main), ...findStarted(sources)];
  const folder = join(dist, FOLDER);
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((path) => [toName(dist, path), path])),
    platform: 'node',
    logLevel: 'warn',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [keepAddresses(folder)],
    treeshake: false,
  });
  await bundle.write({ dir: folder, format: 'esm', minify: false, chunkFileNames: 'part-[hash].js' });
  await bundle.close();
  const stay = new Set(kept.flatMap((name) => [...withImports(join(dist, name), sources)]));
  for (const path of sources.keys()) if (!stay.has(path)) rmSync(path);
  for (const path of entries) writeEntry(path, join(folder, `${toName(dist, path)}.js`));
}

/** Paths of the modules that others start by their address. */
function findStarted(sources: ReadonlyMap<string, string>): string[] {
  const found = [...sources].flatMap(([path, code]) =>
    [...code.matchAll(STARTED)].map(([, name]) => resolve(dirname(path), name!)),
  );
  return [...new Set(found)].sort();
}

/** A module and all that it imports. */
function withImports(path: string, sources: ReadonlyMap<string, string>, seen = new Set<string>()) {
  const code = sources.get(path);
  if (code === undefined || seen.has(path)) return seen;
  seen.add(path);
  for (const [, name] of code.matchAll(IMPORTED)) withImports(resolve(dirname(path), name!), sources, seen);
  return seen;
}

function toName(dist: string, path: string): string {
  return relative(dist, path).replace(/\.js$/, '').replaceAll('/', '-');
}

/** Modules find files relative to their own place, which is no longer that of their code. */
function keepAddresses(folder: string): Plugin {
  return {
    name: 'keep-addresses',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null;
      const place = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', place) };
    },
  };
}

/** The module at its old address. */
function writeEntry(path: string, joined: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `export * from '${relative(dirname(path), joined)}';\n`);
}
