/**
 * `npm run -s conformance:actions -- --dir DIR`: classifies the recorded traces of a folder and compares the actions
 * with its cases. DIR has the layout of ../shared/data/traces, or is its folder of cases. Prints a table (case,
 * expected, got) and `N passed, N failed`, counted by cases. Exits with 1 if one failed, with 2 if there is no case.
 * Traces follow the rules of 1.2, or of the release in `--action-rules`.
 */
import { parseArgs } from 'node:util';
import { CasesError, type Outcome, runCases } from './conformance/action-cases.ts';

const HELP =
  'usage: npm run -s conformance:actions -- --dir DIR [--failed] [--action-rules 1.2|1.3] [--help]\n';

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function print(outcomes: readonly Outcome[], onlyFailed: boolean): void {
  console.log(line(['case', 'expected', 'got']));
  console.log(line(['---', '---', '---']));
  for (const { group, name, expected, got } of outcomes)
    if (!onlyFailed || got !== 'ok') console.log(line([`${group}: ${name}`, expected, got]));
}

function report(outcomes: readonly Outcome[], onlyFailed: boolean): void {
  print(outcomes, onlyFailed);
  const all = new Set(outcomes.map(({ id }) => id));
  const failed = new Set(outcomes.filter(({ got }) => got !== 'ok').map(({ id }) => id));
  console.log(`${all.size - failed.size} passed, ${failed.size} failed`);
  process.exitCode = failed.size === 0 ? 0 : 1;
}

const RELEASES = ['1.2', '1.3'] as const;

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    failed: { type: 'boolean' },
    'action-rules': { type: 'string', default: '1.2' },
    help: { type: 'boolean' },
  },
});
const release = RELEASES.find((one) => one === values['action-rules']);
if (values.help) process.stdout.write(HELP);
else if (values.dir === undefined || release === undefined) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else {
  try {
    report(runCases(values.dir, release), values.failed === true);
  } catch (error) {
    if (!(error instanceof CasesError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
