import { ACTION_CHECKS } from './action-checks.ts';
import { CHAIN_CHECKS } from './chain-checks.ts';
import type { Check } from './check.ts';
import { compareRows, type Verdict } from './compare-rows.ts';
import { CONTRACT_CHECKS } from './contract-checks.ts';
import type { CommittedBlock } from './core-rows.ts';
import { columnProblems, nullColumns, uncoveredTables } from './covered-columns.ts';
import type { LakeServer } from './lake-server.ts';
import { fromLake, selectColumns, withTimes } from './lake-values.ts';
import { TOKEN_CHECKS } from './token-checks.ts';
import { TRADE_CHECKS } from './trade-checks.ts';

const CHECKS: readonly Check[] = [
  ...CHAIN_CHECKS,
  ...TOKEN_CHECKS,
  ...TRADE_CHECKS,
  ...CONTRACT_CHECKS,
  ...ACTION_CHECKS,
];

/**
 * Compares each column of each table of a server with independent facts. A table without rows is a difference. `only`: names of tables;
 * empty for all, so that a table without a check is a difference.
 */
export async function compareTables(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
  only: readonly string[] = [],
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const check of CHECKS)
    if (only.length === 0 || only.includes(check.table))
      verdicts.push(await compareTable(server, blocks, check));
  const missing = only.length > 0 ? [] : uncoveredTables(CHECKS.map(({ table }) => table));
  const none = { rows: 0, compared: 0, different: 1, examples: ['no check compares the table'] };
  return [...verdicts, ...missing.map((table) => ({ table, ...none }))];
}

async function compareTable(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
  check: Check,
): Promise<Verdict> {
  const { table, key, where = '1' } = check;
  const expected = (await check.expected(server, blocks)).map((row) => withTimes(check, row));
  const columns = [...new Set([...key, ...expected.flatMap((row) => Object.keys(row))])];
  const rows = await server.ask(`SELECT ${selectColumns(check, columns)} FROM ${table} WHERE ${where}`);
  const verdict = compareRows({ table, key, found: rows.map((row) => fromLake(check, row)), expected });
  const problems = await columnProblems(server, table, columns);
  return {
    ...verdict,
    compared: verdict.compared + nullColumns(table).length,
    different: verdict.different + problems.length,
    examples: [...problems, ...verdict.examples],
  };
}
