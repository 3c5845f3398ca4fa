import type { StoreClient } from '../../src/platform/clickhouse/client.ts';

/** Databases, and how far the counters are to go. */
export interface ActivityFill {
  readonly base: string;
  readonly activity: string;
  readonly upTo: number;
  /** Factor of fees, to distinguish versions. Default 1. */
  readonly feeFactor?: number;
}

const route = 'test/activity';

/** Writes the counters of `activity` from the transactions of `base`, only by SQL; confirms nothing. */
export function fillActivity(
  client: StoreClient,
  { base, activity, upTo, feeFactor = 1 }: ActivityFill,
): Promise<void> {
  return client.command(
    `INSERT INTO ${activity}.land_activity (mc_seqno, part, workchain, account, first_utime, first_lt, last_utime, last_lt,
       transactions, aborted, messages_in, messages_out, fees)
     SELECT mc_seqno, part, workchain, account, min(first_utime) OVER so_far, min(first_lt) OVER so_far,
       max(last_utime) OVER so_far, max(last_lt) OVER so_far, sum(n) OVER so_far, sum(n_aborted) OVER so_far,
       sum(n_in) OVER so_far, sum(n_out) OVER so_far, toUInt128(sum(paid) OVER so_far) * ${feeFactor}
     FROM (
       SELECT account, workchain, mc_seqno, intDiv(reinterpretAsUInt8(substring(account, 1, 1)) * 2, 256) AS part,
         min(now) AS first_utime, min(lt) AS first_lt, max(now) AS last_utime, max(lt) AS last_lt, count() AS n,
         countIf(aborted) AS n_aborted, countIf(type = 'ord') AS n_in, sum(out_msg_count) AS n_out, sum(total_fees) AS paid
       FROM ${base}.transactions WHERE mc_seqno <= ${upTo} GROUP BY account, workchain, mc_seqno
     ) WINDOW so_far AS (PARTITION BY account, workchain ORDER BY mc_seqno ROWS UNBOUNDED PRECEDING)`,
    { route },
  );
}

/** Confirms steps of a lane, or of a partition of a projection in chain order. */
export function confirmSteps(
  client: StoreClient,
  database: string,
  { first, last, lane }: { readonly first: number; readonly last: number; readonly lane: number },
): Promise<void> {
  return client.command(
    `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES (${first}, ${last}, 0, ${lane})`,
    { route },
  );
}
