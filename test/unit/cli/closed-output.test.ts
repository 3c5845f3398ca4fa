import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

it('ends without an error text when nobody reads its output any more', async () => {
  const child = spawn(process.execPath, [MAIN, 'index', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ errors, code }).toEqual({ errors: '', code: EXIT.stopped });
}, 60_000);
