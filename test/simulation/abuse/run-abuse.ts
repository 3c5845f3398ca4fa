/**
 * The abuse simulation: `npm run -s test:abuse -- --minutes M [--seed N] [--only NAME] [--short]`. Attacks a running server over
 * HTTP, on this machine alone, while an honest client asks. Ends with 0 only where everything held.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { shutDown } from './attacks/shut-down.ts';
import { ATTACKS } from './attacks.ts';
import { honestSummary, memorySummary, restRow, tableHead, tableRow } from './report-table.ts';
import { SHORT_RUN, simulateAbuse } from './simulate-abuse.ts';

const USAGE = `usage: npm run -s test:abuse -- [options]

  --minutes M    attacks are repeated until M minutes have passed (default 3); each is run at least once
  --seed N       chooses their order and values (default 1)
  --short        the run of CI: each attack once, with seed ${SHORT_RUN.seed}, short waits and ${SHORT_RUN.timeFactor} times the bounds of time
  --only NAME    only attacks whose name contains NAME (repeatable)
  --keep DIR     data directories and the server's logs are made in DIR, and stay
  --json         print the result as one JSON object before the last line

Starts a server of its own on a local chain, attacks it over loopback addresses, and stops it. The attacks:
${[...ATTACKS.map(({ name, holds }) => `  ${name}: ${holds}`), `  ${shutDown.name}`].join('\n')}

The last line is \`N passed, N failed\`; the exit code is 0 only where none failed.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    short: { type: 'boolean', default: false },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const asked = { minutes: Number(values.minutes), seed: Number(values.seed) };
const plan = values.short ? SHORT_RUN : asked;
const { minutes, seed } = plan;
const isKnown = (part: string) => [...ATTACKS, shutDown].some(({ name }) => name.includes(part));
if (!(minutes > 0) || !Number.isSafeInteger(seed) || !(values.only ?? []).every(isKnown)) {
  process.stderr.write(USAGE);
  process.exit(2);
}

// Children die with this process: see die-with-runner.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

process.stdout.write(tableHead());
const result = await simulateAbuse({
  ...plan,
  ...(values.only && { only: values.only }),
  ...(values.keep !== undefined && { folder: resolve(values.keep) }),
  onRest: (seen) => process.stdout.write(restRow(seen)),
  onReport: (report) => process.stdout.write(tableRow(report)),
});
const { passed, failed } = result;
const longest = Math.max(...result.reports.map(({ stallMs }) => stallMs));
process.stdout.write(honestSummary(result.rest, result.reports));
process.stdout.write(memorySummary(result));
process.stdout.write(`longest stall ${longest} ms; seed ${seed}\n`);
if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
