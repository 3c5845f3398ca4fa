import type { DetectedDatabase } from '../../../facts/fact-stores.ts';
import { readAccounts } from '../../../facts/read-accounts.ts';
import { IS_KNOWN } from '../../../facts/read-detected.ts';

/** Tables of outcomes: of tokens, and of other contracts. */
export const OUTCOMES = ['token_outcomes', 'contract_outcomes'] as const;

/**
 * Statement for accounts (account, workchain) and the lt of their newest examined state: every kind that it was examined
 * for has a known outcome. `of`: condition on the accounts.
 */
export function examinedSql(
  { database, last }: Pick<DetectedDatabase, 'database' | 'last'>,
  of: string,
): string {
  const columns = 'account, workchain, lt AS examined_lt, toString(kind) AS kind_name';
  const kinds = OUTCOMES.map(
    (table) => `SELECT ${columns}, max(${IS_KNOWN}) AS is_known FROM ${database}.${table}
    WHERE mc_seqno <= ${last} AND ${of} GROUP BY account, workchain, examined_lt, kind_name`,
  ).join(' UNION ALL ');
  return `SELECT account, workchain, max(examined_lt) AS newest FROM (
    SELECT account, workchain, examined_lt FROM (${kinds}) GROUP BY account, workchain, examined_lt HAVING min(is_known) = 1
  ) GROUP BY account, workchain`;
}

/** Lt of the newest examined state of accounts; those without one are absent. */
export async function readExamined(
  store: DetectedDatabase,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await readAccounts<[number, string, string]>(
    store,
    accounts,
    'actions/examined',
    (keys) => `SELECT workchain, hex(account), toString(newest) FROM (${examinedSql(store, keys)})`,
  );
  return new Map(rows.map(([workchain, account, lt]) => [`${workchain}:${account}`, BigInt(lt)]));
}
