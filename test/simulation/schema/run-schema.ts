/**
 * Requests generated from our own OpenAPI documents: `npm run -s test:schema -- --requests N [--seed S] [--short]`. schemathesis (from
 * PyPI, in a virtual environment of its own) asks a local chain; answers must be as described, and no 5xx but those of the
 * contract. The last line is `N passed, N failed`; the exit code is 0 only where none failed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { READ_PROJECTIONS } from '../../../src/api/version-vector.ts';
import { type RunningMain, startMain } from '../../helpers/run-main.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';

const DOCUMENTS = ['/api/v3/openapi.json', '/api/v2/openapi.json', '/api/emulate/openapi.json'];
/** Requests of one operation in one run: more are other seeds. */
const MAX_EXAMPLES = 100;
const START_MS = 300_000;
/** Requests of the short run, whose seed is 1. */
const SHORT_REQUESTS = 300;
/** A busy machine is no failure of an answer. */
const LIMITS = ['--query-timeout-ms', '60000'];

const USAGE = 'usage: npm run -s test:schema -- [--requests N] [--seed S] [--short] [--help]\n';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const requests = Number(values.short ? SHORT_REQUESTS : values.requests);
const firstSeed = Number(values.short ? 1 : values.seed);
if (!(requests > 0) || !Number.isSafeInteger(firstSeed)) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const program = installSchemathesis();
const folder = mkdtempSync(join(tmpdir(), 'tonhouse-schema-'));
const server = startMain(['up', '--data', folder, '--port', '0', '--traffic', '2', ...LIMITS]);
try {
  const url = await urlOf(server);
  await ready(url);
  const described = await Promise.all(
    DOCUMENTS.map(async (document) => ({ document, operations: await operationsIn(`${url}${document}`) })),
  );
  const all = described.reduce((sum, { operations }) => sum + operations, 0);
  // At once: schemathesis makes values on one thread, and the server has its own.
  const found = await Promise.all(
    described.map(({ document, operations }) =>
      ask({ url, document, operations, least: Math.ceil((requests * operations) / all) }),
    ),
  );
  const passed = found.reduce((sum, one) => sum + one.passed, 0);
  const failed = found.reduce((sum, one) => sum + one.failed, 0);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}

/** One description, and how many requests it is owed. */
interface Owed {
  readonly url: string;
  readonly document: string;
  readonly operations: number;
  readonly least: number;
}

async function operationsIn(document: string): Promise<number> {
  const { paths } = (await (await fetch(document)).json()) as { paths: Record<string, object> };
  return Object.values(paths).reduce((sum, one) => sum + Object.keys(one).length, 0);
}

/** Runs over one document, seed by seed, until it was asked often enough. */
async function ask({ url, document, operations, least }: Owed): Promise<{ passed: number; failed: number }> {
  let [passed, failed] = [0, 0];
  for (let seed = firstSeed; passed + failed < least; seed++) {
    const examples = Math.min(MAX_EXAMPLES, Math.ceil((least - passed - failed) / operations));
    const run = await runSchemathesis(program, document, { url, examples, seed });
    process.stdout.write(`${document}, seed ${seed}: ${run.generated} requests, ${run.failed} failed\n`);
    if (run.failed > 0) process.stdout.write(run.output);
    passed += run.generated - run.failed;
    failed += run.failed;
  }
  return { passed, failed };
}

/** Waits until all projections answer, and until there are rows to ask for. */
async function ready(url: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(500)) {
    const states = await Promise.all(
      READ_PROJECTIONS.map(async (name) => (await fetch(`${url}/readyz/${name}`)).ok),
    );
    const rows = (await (await fetch(`${url}/api/v3/jetton/transfers`)).json()) as { jetton_transfers?: [] };
    if (states.every(Boolean) && (rows.jetton_transfers?.length ?? 0) > 0) return;
  }
  throw new Error('the projections are not ready');
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
