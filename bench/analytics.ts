/**
 * `npm run bench:analytics`: time and rows read of the questions of analysts, over a generated chain, and the ratio to
 * PostgreSQL 15 with the peer's schema over the same rows.
 */
import { parseArgs } from 'node:util';
import { measureQuestions } from './analytics/measure-questions.ts';
import { hasPostgres } from './analytics/postgres-server.ts';
import { BenchError } from './common/bench-error.ts';
import { count } from './common/options.ts';
import { note, printTable } from './common/report.ts';

const HELP = `bench:analytics: time and rows read of each question of docs/questions.md

  --transactions N   of the generated chain, plain payouts (default 1000000)
  --data DIR         an index to ask instead: its last 30 days
  --runs N           runs of each question (default 5)
  --no-peer          do not ask PostgreSQL 15 (its programs: POSTGRES_BIN)
  --json             one JSON object instead of a table
  --help             this text
`;

try {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      transactions: { type: 'string', default: '1000000' },
      data: { type: 'string' },
      runs: { type: 'string', default: '5' },
      peer: { type: 'boolean', default: true },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const withPeer = values.peer && hasPostgres();
    if (values.peer && !withPeer) note('PostgreSQL 15 is not installed: no ratio');
    const measured = await measureQuestions({
      transactions: count('transactions', values.transactions),
      data: values.data ?? null,
      runs: count('runs', values.runs),
      withPeer,
    });
    if (values.json) process.stdout.write(`${JSON.stringify(measured)}\n`);
    else
      printTable(
        `${measured.transactions.toLocaleString('en')} transactions`,
        ['question', 'p50 ms', 'rows read', 'rows', 'PostgreSQL ms', 'ratio'],
        measured.questions.map(
          ({ question, p50_ms, rows_read, rows, error, postgres_p50_ms: peer, ratio }) => [
            question,
            error ?? p50_ms,
            rows_read,
            rows,
            peer ?? '',
            ratio ?? '',
          ],
        ),
      );
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
