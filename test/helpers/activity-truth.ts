import type { StoreClient } from '../../src/platform/clickhouse/client.ts';

const COLUMNS = `lower(hex(account)) AS account, workchain, mc_seqno, first_utime, toString(first_lt) AS first_lt, last_utime,
  toString(last_lt) AS last_lt, toString(transactions) AS transactions, toString(aborted) AS aborted,
  toString(messages_in) AS messages_in, toString(messages_out) AS messages_out, toString(fees) AS fees`;
const ORDER = 'ORDER BY account, workchain, mc_seqno';
const route = 'test/activity';

/** The rows of `activity` from the transactions of `base`, only by SQL. */
export async function activityTruth(client: StoreClient, base: string): Promise<readonly unknown[]> {
  const { rows } = await client.queryRows(
    `SELECT ${COLUMNS} FROM (
       SELECT account, workchain, mc_seqno,
         min(step_first_utime) OVER so_far AS first_utime, min(step_first_lt) OVER so_far AS first_lt,
         max(step_last_utime) OVER so_far AS last_utime, max(step_last_lt) OVER so_far AS last_lt,
         sum(n) OVER so_far AS transactions, sum(n_aborted) OVER so_far AS aborted,
         sum(n_in) OVER so_far AS messages_in, sum(n_out) OVER so_far AS messages_out, sum(paid) OVER so_far AS fees
       FROM (
         SELECT account, workchain, mc_seqno, min(now) AS step_first_utime, min(lt) AS step_first_lt,
           max(now) AS step_last_utime, max(lt) AS step_last_lt, count() AS n, countIf(aborted) AS n_aborted,
           countIf(type = 'ord') AS n_in, sum(out_msg_count) AS n_out, sum(total_fees) AS paid
         FROM ${base}.transactions GROUP BY account, workchain, mc_seqno
       ) WINDOW so_far AS (PARTITION BY account, workchain ORDER BY mc_seqno ROWS UNBOUNDED PRECEDING)
     ) ${ORDER}`,
    { route, maxRows: 1_000_000 },
  );
  return rows;
}

/** The rows of `activity`. */
export async function activityRows(client: StoreClient, database: string): Promise<readonly unknown[]> {
  const { rows } = await client.queryRows(`SELECT ${COLUMNS} FROM ${database}.activity ${ORDER}`, {
    route,
    maxRows: 1_000_000,
  });
  return rows;
}
