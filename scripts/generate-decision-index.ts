/**
 * Prints docs/decisions/README.md: the decisions by theme, each with its status and date. `--write` writes the file.
 * `checkDecisions` is part of `npm run check`: each decision has a head and at most 700 words, there are at most 60 of
 * them, and the index is current.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../docs/decisions');
const INDEX = join(FOLDER, 'README.md');
const MAX_WORDS = 700;
const MAX_DECISIONS = 60;
const THEMES = [
  'Structure',
  'Sources and blocks',
  'Log and coordination',
  'Store',
  'Projections and replay',
  'Actions',
  'API',
  'Load and idling',
  'Local chain',
  'Live networks',
  'Verification and tests',
];

interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly date: string;
  readonly theme: string;
  readonly words: number;
}

/** Reads one decision. @throws Error if its head lacks the title, the status, the date or a known theme */
export function readDecision(file: string, text: string): Decision {
  const head = /^\| (accepted|superseded by \d+|rejected) \| (\d{4}-\d{2}-\d{2}) \| ([^|]+) \|/m.exec(text);
  const fields = {
    number: /^# (\d+)\. /m.exec(text)?.[1],
    title: /^# \d+\. (.+)$/m.exec(text)?.[1],
    status: head?.[1],
    date: head?.[2],
    theme: THEMES.find((theme) => theme === head?.[3]),
  };
  for (const [name, value] of Object.entries(fields))
    if (value === undefined) throw new Error(`docs/decisions/${file} has no ${name} in its head`);
  const { number, title, status, date, theme } = fields as Record<keyof typeof fields, string>;
  if (Number(number) !== Number(file.slice(0, 4)))
    throw new Error(`docs/decisions/${file} has the number ${number} in its title`);
  return { file, number: Number(number), title, status, date, theme, words: text.split(/\s+/).length };
}

function readDecisions(): Decision[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}-.*\.md$/.test(file))
    .sort()
    .map((file) => readDecision(file, readFileSync(join(FOLDER, file), 'utf8')));
}

function buildIndex(decisions: readonly Decision[]): string {
  const sections = THEMES.map((theme) => ({
    theme,
    members: decisions.filter((one) => one.theme === theme),
  })).filter(({ members }) => members.length > 0);
  const tables = sections.map(
    ({ theme, members }) =>
      `## ${theme}\n\n| no. | decision | status | date |\n| --- | --- | --- | --- |\n${members
        .map((one) => `| ${one.number} | [${one.title}](${one.file}) | ${one.status} | ${one.date} |`)
        .join('\n')}\n`,
  );
  return `# Decisions

Each file records one decision: what was decided, why, what was measured, and what was rejected. A new decision takes
the next free number, has a head with status, date and theme, and at most ${MAX_WORDS} words.
\`node scripts/generate-decision-index.ts --write\` updates this page.

${tables.join('\n')}`;
}

/** Problems of the decisions and their index; empty if there are none. */
export function checkDecisions(): string[] {
  const decisions = readDecisions();
  const long = decisions
    .filter(({ words }) => words > MAX_WORDS)
    .map(({ file, words }) => `docs/decisions/${file} has ${words} words, at most ${MAX_WORDS}`);
  const many =
    decisions.length > MAX_DECISIONS
      ? [`docs/decisions has ${decisions.length} files, at most ${MAX_DECISIONS}`]
      : [];
  const numbers = decisions.map(({ number }) => number);
  const doubled = numbers
    .filter((number, at) => numbers.indexOf(number) !== at)
    .map((number) => `docs/decisions has two files with the number ${number}`);
  const isCurrent = readFileSync(INDEX, 'utf8') === buildIndex(decisions);
  const stale = isCurrent
    ? []
    : ['docs/decisions/README.md is stale: node scripts/generate-decision-index.ts --write'];
  return [...long, ...many, ...doubled, ...stale];
}

if (import.meta.main) {
  const text = buildIndex(readDecisions());
  if (process.argv.includes('--write')) writeFileSync(INDEX, text);
  else console.log(text);
}
