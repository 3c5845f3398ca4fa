import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundleModules } from '../../../../scripts/package/bundle-modules.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'data/name.txt': 'a file',
  'src/main.js': `import { NAME, start } from './part/part.js';
    const { late } = await import('./part/late.js');
    console.log(JSON.stringify([NAME, await start(), late]));`,
  'src/part/part.js': `import { readFileSync } from 'node:fs';
    import { Worker } from 'node:worker_threads';
    export const NAME = readFileSync(new URL('../../data/name.txt', import.meta.url), 'utf8');
    const WORKER = new URL('./worker.js', import.meta.url);
    export const start = () => new Promise((resolve) => new Worker(WORKER).on('message', resolve));`,
  'src/part/late.js': `export { SHARED as late } from './shared.js';`,
  'src/part/worker.js': `import { parentPort } from 'node:worker_threads';
    import { SHARED } from './shared.js';
    parentPort.postMessage('worker ' + SHARED);`,
  'src/part/shared.js': `export const SHARED = 'shared';`,
  'src/kept/kept.js': `export { SHARED } from '../part/shared.js';`,
};

it('joins modules: files, workers and late imports are found, and exported modules stay', async () => {
  const dist = mkdtempSync(join(tmpdir(), 'tonhouse-modules-'));
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    writeFileSync(join(dist, name), text);
  }
  await bundleModules(dist, 'src/main.js', ['src/kept/kept.js']);
  writeFileSync(
    join(dist, 'user.js'),
    "import { SHARED } from './src/kept/kept.js'; console.log(JSON.stringify(SHARED));",
  );
  const run = (file: string) =>
    JSON.parse(execFileSync(process.execPath, [join(dist, file)], { encoding: 'utf8' }));
  expect(run('src/main.js')).toEqual(['a file', 'worker shared', 'shared']);
  expect(run('user.js')).toBe('shared');
  expect(existsSync(join(dist, 'src/part/part.js'))).toBe(false);
  expect(readdirSync(join(dist, 'src/part')).sort()).toEqual(['shared.js', 'worker.js']);
});
