/** `npm run bench:scan`: an export to Parquet beside ClickHouse's own writing of the same rows. */
import { parseArgs } from 'node:util';
import { BenchError } from './common/bench-error.ts';
import { count } from './common/options.ts';
import { printTable, round } from './common/report.ts';
import { measureScan } from './scan/measure-scan.ts';

const HELP = `bench:scan: rows a second of \`tonhouse export\` and of ClickHouse's own file writer

  --transactions N   of the generated chain (default 200000)
  --table NAME       table of the lake (default transactions)
  --runs N           runs of each; the fastest counts (default 3)
  --json             one JSON object instead of a table
  --help             this text
`;

try {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '200000' },
      table: { type: 'string', default: 'transactions' },
      runs: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const { table } = values;
    const transactions = count('transactions', values.transactions);
    const { rows, bytes, exportSeconds, ownSeconds } = await measureScan({
      transactions,
      table,
      runs: count('runs', values.runs),
    });
    const figures = {
      parquet_rows_per_s: Math.round(rows / exportSeconds),
      outfile_rows_per_s: Math.round(rows / ownSeconds),
      ratio: round(ownSeconds / exportSeconds),
    };
    if (values.json) process.stdout.write(`${JSON.stringify({ table, rows, bytes, ...figures })}\n`);
    else
      printTable(
        `${rows.toLocaleString('en')} rows of ${table}, ${bytes.toLocaleString('en')} bytes of Parquet`,
        ['', 'rows/s'],
        [
          ['tonhouse export', figures.parquet_rows_per_s],
          ['INSERT INTO FUNCTION file(…)', figures.outfile_rows_per_s],
          ['ratio', figures.ratio],
        ],
      );
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
