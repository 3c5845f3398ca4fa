/**
 * The flows of the page in Chromium: `npm run -s test:page -- --screens DIR`. A local chain with traffic is indexed and served
 * by the program itself.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { FLOWS } from './flows.ts';
import { runFlow } from './run-flow.ts';
import { runFlows } from './run-flows.ts';
import { withLimit } from './with-limit.ts';
import { startWorld } from './world.ts';

const USAGE = `usage: npm run -s test:page -- [options]

  --screens DIR  keep a screenshot of each flow
  --only TEXT    run the flows whose names contain this text
  --at-a-time N  flows at a time (3)

Needs Chromium (Debian: apt install chromium); without it, the flows are skipped. The last line is \`N passed, N failed\`.
`;
/** Longest flow. */
const FLOW_LIMIT_MS = 120_000;
/** All flows together. */
const TOTAL_LIMIT_MS = 600_000;
const START_LIMIT_MS = 240_000;
const STOP_LIMIT_MS = 60_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Chromium in the folders of the search path. */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

const { values } = parseArgs({
  options: {
    screens: { type: 'string' },
    only: { type: 'string' },
    'at-a-time': { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const executablePath = findChromium();
if (executablePath === undefined) {
  process.stdout.write('skipped: Chromium is not installed\n0 passed, 0 failed\n');
  process.exit(0);
}
if (values.screens !== undefined) mkdirSync(values.screens, { recursive: true });
const flows = FLOWS.filter(({ name }) => name.includes(values.only ?? ''));
const end = Date.now() + TOTAL_LIMIT_MS;
let passed = 0;
try {
  const world = await withLimit(startWorld(), START_LIMIT_MS);
  try {
    // A sandbox needs a user without all rights; the page comes from this machine.
    const args = ['--no-sandbox'];
    const browser = await chromium.launch({ executablePath, args, timeout: START_LIMIT_MS });
    const setup = { browser, world, screens: values.screens ?? null };
    await runFlows(flows, Number(values['at-a-time']), async (flow) => {
      const began = performance.now();
      const limitMs = Math.min(flow.limitMs ?? FLOW_LIMIT_MS, end - Date.now());
      const error =
        limitMs > 0
          ? await runFlow(flow, { ...setup, limitMs })
          : `not run: ${TOTAL_LIMIT_MS / 1_000} s are over`;
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      print(`${error === null ? 'passed' : 'failed'}: ${flow.name} (${seconds} s)`);
      if (error === null) passed++;
      else print(`  ${error.replaceAll('\n', '\n  ')}`);
    });
    await withLimit(browser.close(), STOP_LIMIT_MS);
  } finally {
    await withLimit(world.stop(), 2 * STOP_LIMIT_MS);
  }
} catch (error) {
  print(`failed: ${(error as Error).stack}`);
}
print(`${passed} passed, ${flows.length - passed} failed`);
// A flow above its limit may still wait for something.
process.exit(passed === flows.length ? 0 : 1);
