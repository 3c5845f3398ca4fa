/**
 * Requests generated from our own OpenAPI documents: `npm run -s test:schema -- --requests N [--seed S]`. schemathesis (from
 * PyPI, in a virtual environment of its own) asks a local chain; answers must be as described, and no 5xx but those of the
 * contract. The last line is `N passed, N failed`; the exit code is 0 only where none failed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RunningMain, startMain } from '../../helpers/run-main.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';

const DOCUMENTS = ['/api/v3/openapi.json', '/api/v2/openapi.json'];
/** Requests of one operation in one run: more are other seeds. */
const MOST_EXAMPLES = 100;
const START_MS = 120_000;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const requests = Number(values.requests);
const firstSeed = Number(values.seed);
if (!(requests > 0) || !Number.isSafeInteger(firstSeed)) {
  process.stderr.write('usage: npm run -s test:schema -- --requests N [--seed S]\n');
  process.exit(2);
}

const program = installSchemathesis();
const folder = mkdtempSync(join(tmpdir(), 'tonhouse-schema-'));
const server = startMain(['up', '--data', folder, '--port', '0', '--traffic', '2']);
try {
  const url = await urlOf(server);
  let [passed, failed] = [0, 0];
  for (const document of DOCUMENTS) {
    const found = await ask(`${url}${document}`, requests / DOCUMENTS.length);
    passed += found.passed;
    failed += found.failed;
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}

/** Runs over one document, seed by seed, until it was asked often enough. */
async function ask(document: string, least: number): Promise<{ passed: number; failed: number }> {
  const { paths } = (await (await fetch(document)).json()) as { paths: Record<string, object> };
  const operations = Object.values(paths).reduce((sum, one) => sum + Object.keys(one).length, 0);
  let [passed, failed] = [0, 0];
  for (let seed = firstSeed; passed + failed < least; seed++) {
    const examples = Math.min(MOST_EXAMPLES, Math.ceil((least - passed - failed) / operations));
    const run = await runSchemathesis(program, document, { examples, seed });
    process.stdout.write(`${document}, seed ${seed}: ${run.generated} requests, ${run.failed} failed\n`);
    if (run.failed > 0) process.stdout.write(run.output);
    passed += run.generated - run.failed;
    failed += run.failed;
  }
  return { passed, failed };
}

/** Address of the server once it answers. */
async function urlOf({ text, child }: RunningMain): Promise<string> {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
    const url = /answering.* v3=(http:\/\/[\d.:]+)/.exec(text.stderr)?.[1];
    if (url) return url;
    if (child.exitCode !== null) break;
  }
  throw new Error(`the server did not start: ${text.stderr}`);
}
