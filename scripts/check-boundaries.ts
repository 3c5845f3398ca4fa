/**
 * Checks the import rules of the layout (docs/decisions/0001-layout.md): which folder may import what.
 * Prints every breach as `file: imports X (rule)` and exits with 1 if there is one. It has no list of exceptions.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Modules that do I/O: never in `src/ton`. */
const NODE_IO =
  /^node:(fs|net|http|https|http2|child_process|worker_threads|os|process|dgram|tls|sqlite|cluster|readline|timers)/;
/** Clients of brokers and databases: only `src/platform` may name them. */
const CLIENTS = /^(kafkajs|@clickhouse\/client|chdb|ffi-rs|node:sqlite|pino|prom-client)$/;

interface Rule {
  readonly name: string;
  readonly applies: (file: string) => boolean;
  readonly forbids: (target: string, file: string) => boolean;
}

const under = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
/** `src/stages/serve/…` → `src/stages/serve`; `src/stages/enrich/traces/…` → `src/stages/enrich/traces`. */
const stageOf = (path: string) => path.match(/^src\/stages\/(?:enrich\/)?[^/]+/)?.[0] ?? '';

const RULES: Rule[] = [
  {
    name: 'ton is pure: @ton/*, node:crypto, node:zlib and itself only',
    applies: under('src/ton'),
    forbids: (target) =>
      NODE_IO.test(target) ||
      CLIENTS.test(target) ||
      (target.startsWith('src/') && !target.startsWith('src/ton/')) ||
      (!target.startsWith('src/') && !target.startsWith('node:') && !target.startsWith('@ton/')),
  },
  {
    name: 'platform has never heard of TON, of stages or of the cli',
    applies: under('src/platform'),
    forbids: (target) =>
      target.startsWith('@ton/') || (target.startsWith('src/') && !target.startsWith('src/platform/')),
  },
  {
    name: 'a stage sees ton, platform, pipelines and itself',
    applies: under('src/stages'),
    forbids: (target, file) =>
      target.startsWith('src/cli/') ||
      CLIENTS.test(target) ||
      (target.startsWith('src/stages/') && stageOf(target) !== stageOf(file)),
  },
  {
    name: 'pipelines are definitions: types only, no logic',
    applies: under('pipelines'),
    forbids: (target) => target.startsWith('src/stages/') || target.startsWith('src/cli/'),
  },
  {
    name: 'src never imports tests or benches',
    applies: under('src'),
    forbids: (target) => target.startsWith('test/') || target.startsWith('bench/'),
  },
  {
    name: 'only src/platform/config reads process.env',
    applies: (file) => file.startsWith('src/') && !file.startsWith('src/platform/config/'),
    forbids: (target) => target === 'process.env',
  },
];

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function targets(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
  if (/\bprocess\.env\b/.test(text)) found.push('process.env');
  return found.map((target) =>
    target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target,
  );
}

const breaches = ['src', 'pipelines']
  .flatMap(sources)
  .flatMap((file) =>
    targets(file).flatMap((target) =>
      RULES.filter((rule) => rule.applies(file) && rule.forbids(target, file)).map(
        (rule) => `${file}: imports ${target} (${rule.name})`,
      ),
    ),
  );

for (const breach of breaches) console.error(breach);
console.log(breaches.length === 0 ? 'boundaries: ok' : `boundaries: ${breaches.length} breaches`);
process.exitCode = breaches.length === 0 ? 0 : 1;
