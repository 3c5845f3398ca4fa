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
import { startWorld } from './world.ts';

const USAGE = `usage: npm run -s test:page -- [options]

  --screens DIR  keep a screenshot of each flow
  --only TEXT    run the flows whose names contain this text

Needs Chromium (Debian: apt install chromium); without it, the flows are skipped. The last line is \`N passed, N failed\`.
`;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Chromium in the folders of the search path. */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

const { values } = parseArgs({
  options: {
    screens: { type: 'string' },
    only: { type: 'string' },
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
const world = await startWorld();
// A sandbox needs a user without all rights; the page comes from this machine.
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
let failed = 0;
try {
  for (const flow of flows) {
    const error = await runFlow(flow, { browser, world, screens: values.screens ?? null });
    process.stdout.write(`${error === null ? 'passed' : 'failed'}: ${flow.name}\n`);
    if (error === null) continue;
    failed++;
    process.stdout.write(`  ${error.replaceAll('\n', '\n  ')}\n`);
  }
} finally {
  await browser.close();
  await world.stop();
}
process.stdout.write(`${flows.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
