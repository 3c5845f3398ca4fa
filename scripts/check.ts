/** Runs every `check:*` script of package.json at the same time, and prints the output of each. Exits with 1 if one fails. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const root = join(import.meta.dirname, '..');

interface Outcome {
  readonly name: string;
  readonly output: string;
  readonly isPassed: boolean;
  readonly seconds: number;
}

/** Runs one script in a shell. `npm run` has added node_modules/.bin to the path. */
function run(name: string, script: string): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(script, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ name, output, isPassed: code === 0, seconds: (performance.now() - started) / 1000 }),
    );
  });
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const outcomes = await Promise.all(
  Object.entries(scripts)
    .filter(([name]) => name.startsWith('check:'))
    .map(async ([name, script]) => {
      const outcome = await run(name, script);
      const { output, isPassed, seconds } = outcome;
      process.stdout.write(`${name}: ${isPassed ? 'ok' : 'FAILED'} after ${seconds.toFixed(1)} s\n${output}`);
      return outcome;
    }),
);
process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;
