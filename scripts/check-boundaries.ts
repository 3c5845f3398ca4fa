/**
 * Checks the layout (docs/decisions/0001-layout.md): which folder may import which, that no circle of folders and no cycle
 * of loaded files exists, which modules are reserved, and that a folder has at most 30 files. Prints every breach as
 * `file: imports X (rule)` and exits with 1 if there is one. It has no list of exceptions.
 */
import { fileCycles } from './layout/file-cycles.ts';
import { folderCircles } from './layout/folder-circles.ts';
import { FILE_LIMIT, fullFolders } from './layout/full-folders.ts';
import { type Import, readImports } from './layout/read-imports.ts';

/** Folders without I/O. */
const PURE: ReadonlySet<string> = new Set(['src/tables', 'src/ton']);
/** Modules that do I/O. */
const NODE_IO =
  /^node:(fs|net|http|https|http2|child_process|worker_threads|os|process|dgram|tls|sqlite|cluster|readline|timers)/;
/** Clients of brokers and databases, by the only folders that may name them. */
const CLIENTS: Readonly<Record<string, RegExp>> = {
  'src/log': /^kafkajs$/,
  'src/platform': /^(@clickhouse\/client|chdb|ffi-rs|ioredis|pino|prom-client)$/,
};

/**
 * Imports that each folder may have in addition to itself, third-party modules and `node:`. `src/cli` may import
 * everything.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/tables': [],
  'src/ton': ['src/tables'],
  // A package for other programs: it knows the API only.
  'src/client': [],
  'src/platform': [],
  'src/tvm': ['src/ton', 'src/platform/threads'],
  'src/facts': ['src/ton', 'src/platform'],
  'src/liteapi': ['src/platform'],
  'src/log': ['src/platform'],
  'src/lookup': ['src/tables', 'src/engine/ranges', 'src/platform'],
  'src/capture': ['src/ton', 'src/liteapi', 'src/log/port.ts', 'src/log/errors.ts', 'src/platform'],
  'src/localnet': ['src/ton', 'src/tvm', 'src/capture', 'src/platform'],
  'src/liteserver': ['src/ton', 'src/liteapi', 'src/platform'],
  'src/engine': ['src/log/port.ts', 'src/log/errors.ts', 'src/platform'],
  // How records become rows of the kernel is what all projections of `raw-blocks` begin with.
  'src/projections': [
    ...['src/ton', 'src/tables', 'src/facts', 'src/engine', 'src/platform'],
    ...['src/projections/records', 'src/projections/sums', 'src/projections/tokens'],
  ],
  // Detectors run get methods. Once they are a projection of their own, only that one needs the TVM.
  'src/projections/contracts': ['src/tvm'],
  'src/projections/detections': ['src/tvm'],
  // Runs in the process of a test, under its Node: it starts the program and loads nothing of it.
  'src/testing': [
    ...['src/platform/config/user-cache.ts', 'src/platform/config/child-environment.ts'],
    'src/platform/files/copy-tree.ts',
  ],
  'src/api': ['src/ton', 'src/tables', 'src/facts', 'src/tvm', 'src/platform'],
  pipelines: ['src/projections', 'src/tables', 'src/engine', 'src/platform'],
  // Types of the API, generated from its OpenAPI documents.
  web: ['src/client'],
};

/** `src/projections/base/x.ts` → `src/projections/base`: projections do not see each other. */
function getFolder(path: string): string {
  const parts = path.split('/');
  if (parts[0] !== 'src') return parts[0] as string;
  return parts.slice(0, parts[1] === 'projections' ? 3 : 2).join('/');
}

function findBreach({ file, target, isLoaded }: Import): string | null {
  const folder = getFolder(file);
  if (target === 'process.env')
    return file.startsWith('src/platform/config/') ? null : 'only src/platform/config reads it';
  for (const [owner, clients] of Object.entries(CLIENTS))
    if (clients.test(target) && folder !== owner) return `only ${owner} may name it`;
  if (PURE.has(folder) && (NODE_IO.test(target) || !/^(src\/|node:|@ton\/)/.test(target)))
    return `${folder} is pure: @ton/*, node:crypto, node:zlib and what it may import of ours`;
  if (folder === 'src/platform' && target.startsWith('@ton/')) return 'platform has never heard of TON';
  if (
    folder === 'src/cli' ||
    folder === 'src/main.ts' ||
    !/^(src|pipelines|web|test|bench|scripts)\//.test(target)
  )
    return null;
  if (folder === 'web' && isLoaded && !target.startsWith('web/'))
    return 'the page uses the public API: it may import only types of other folders';
  const common = folder.startsWith('src/projections/') ? (MAY_IMPORT['src/projections'] ?? []) : [];
  const allowed = [...common, ...(MAY_IMPORT[folder] ?? [])];
  if (
    getFolder(target) === folder ||
    allowed.some((part) => target === part || target.startsWith(`${part}/`))
  )
    return null;
  return `${folder} may import ${allowed.join(', ') || 'nothing of ours'}`;
}

const imports = readImports(['src', 'pipelines', 'web']);
const breaches = imports.flatMap((one) => {
  const rule = findBreach(one);
  return rule === null ? [] : [`${one.file}: imports ${one.target} (${rule})`];
});
const circles = folderCircles(imports);
const cycles = fileCycles(readImports(['src', 'pipelines', 'web', 'scripts', 'bench']));
const full = fullFolders(['src', 'pipelines', 'web', 'scripts', 'bench']);

for (const breach of breaches) console.error(breach);
for (const circle of circles) console.error(`circle: ${circle.join(' → ')}`);
for (const cycle of cycles) console.error(`cycle of files: ${cycle.join(' → ')}`);
for (const folder of full) console.error(`${folder}: at most ${FILE_LIMIT} are allowed`);
const isClean = [breaches, circles, cycles, full].every(({ length }) => length === 0);
console.log(
  isClean
    ? `boundaries: ok, no circle of folders, no cycle of files, at most ${FILE_LIMIT} files in a folder`
    : `boundaries: ${breaches.length} breaches, ${circles.length} circles, ${cycles.length} cycles, ${full.length} full folders`,
);
process.exitCode = isClean ? 0 : 1;
