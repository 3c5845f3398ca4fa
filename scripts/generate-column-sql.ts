/**
 * Writes the parts of the migrations that follow from the decoder's output: the landing tables, the columns and packed
 * details of `transactions`, and the columns and payloads of `messages`, `token_transfers` and `tokens_latest`. `node
 * scripts/generate-column-sql.ts --write` writes them; `npm run -s check` compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { landingTable } from '../src/engine/sink/sink-definition.ts';
import { ACTIVITY_COLUMNS } from '../src/projections/activity/activity-columns.ts';
import { CONTRACT_TABLES } from '../src/projections/contracts/contract-columns.ts';
import { TRACE_TABLES } from '../src/projections/traces/trace-columns.ts';
import { BASE_TABLES } from '../src/ton/columns/tables.ts';
import { messagesSql } from './columns/messages-sql.ts';
import { tokensLatestSql, tokensRepairSql, tokenTransfersSql } from './columns/tokens-sql.ts';
import { transactionsSql } from './columns/transactions-sql.ts';

type Columns = Readonly<Record<string, string>>;

/** A migration whose columns are generated, and how its text follows from the present one. */
interface GeneratedSql {
  readonly file: string;
  readonly generate: (text: string) => string;
}

const FILES: readonly GeneratedSql[] = [
  { file: 'clickhouse/base/0001_landing.sql', generate: landingSql(BASE_TABLES) },
  { file: 'clickhouse/base/0007_transactions.sql', generate: transactionsSql },
  { file: 'clickhouse/base/0010_messages.sql', generate: messagesSql },
  { file: 'clickhouse/activity/0001_landing.sql', generate: landingSql({ activity: ACTIVITY_COLUMNS }) },
  { file: 'clickhouse/contracts/0001_landing.sql', generate: landingSql(CONTRACT_TABLES) },
  { file: 'clickhouse/contracts/0005_token_transfers.sql', generate: tokenTransfersSql },
  { file: 'clickhouse/contracts/0010_tokens_latest.sql', generate: tokensLatestSql },
  { file: 'clickhouse/contracts/repairs/tokens_latest.sql', generate: tokensRepairSql },
  { file: 'clickhouse/traces/0001_landing.sql', generate: landingSql(TRACE_TABLES) },
];

/** Paths, from the root, of migrations whose columns are not written by hand. */
export const COLUMN_SQL_FILES: readonly string[] = FILES.map(({ file }) => file);

/** The comment at the head of the file stays, the tables below it are written. */
function landingSql(tables: Readonly<Record<string, Columns>>): (text: string) => string {
  return (text) => {
    const statements = Object.entries(tables).map(([name, columns]) => createLanding(name, columns));
    return `${text.slice(0, text.indexOf('CREATE TABLE'))}${statements.join('\n')}`;
  };
}

function createLanding(table: string, columns: Columns): string {
  const lines = Object.entries(columns).map(([name, type]) => `    ${name} ${type}`);
  return `CREATE TABLE IF NOT EXISTS {db}.${landingTable(table)}{cluster}\n(\n${lines.join(',\n')}\n)\nENGINE = Null;\n`;
}

/** The generated migrations that differ from what the code yields; `write` puts them right. */
export function staleColumnSql(root: string, write: boolean): string[] {
  return FILES.flatMap(({ file, generate }) => {
    const text = readFileSync(join(root, file), 'utf8');
    const wanted = generate(text);
    if (text === wanted) return [];
    if (write) writeFileSync(join(root, file), wanted);
    return [file];
  });
}

if (import.meta.main) {
  const write = process.argv.includes('--write');
  const stale = staleColumnSql(join(import.meta.dirname, '..'), write);
  for (const file of stale)
    console.log(write ? `written: ${file}` : `stale: ${file} (node scripts/generate-column-sql.ts --write)`);
  process.exitCode = stale.length > 0 && !write ? 1 : 0;
}
