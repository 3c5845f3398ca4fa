import type { ChainCheckOptions } from '../../engine/projection/projection.ts';
import { type CheckResult, NO_BEGINNING } from '../../engine/projection/table-audit.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { ACTIVITY_SUMS } from '../../tables/sums/activity-sums.ts';
import { checkSums } from '../sums/check-sums.ts';

const QUERY = { route: 'verify/activity', ...TABLE_QUERY } as const;

/** Checks the newest counters of all accounts against the transactions that `base` has of the same steps, and the sums by hour and day. */
export async function activityChecks(options: ChainCheckOptions): Promise<readonly CheckResult[]> {
  const { beginning } = options;
  const samples = beginning ? await differences(options, beginning.first, beginning.last) : [];
  return [
    {
      name: 'activity-totals',
      law: 'what the newest counters of all accounts add up to is what the transactions of base add up to',
      problems: samples.length,
      samples,
      ...(beginning === null && { skipped: NO_BEGINNING }),
    },
    ...(await checkSums(options, ACTIVITY_SUMS)),
  ];
}

async function differences(
  { client, database, input }: ChainCheckOptions,
  first: number,
  last: number,
): Promise<string[]> {
  const { rows } = await client.queryRows<[string[], string[]]>(
    `SELECT (
       SELECT arrayMap(x -> toString(x), [toUInt128(count()), sum(t), sum(a), sum(i), sum(o), sum(f)]) FROM (
         SELECT toUInt128(argMax(transactions, mc_seqno)) AS t, toUInt128(argMax(aborted, mc_seqno)) AS a,
           toUInt128(argMax(messages_in, mc_seqno)) AS i, toUInt128(argMax(messages_out, mc_seqno)) AS o,
           argMax(fees, mc_seqno) AS f
         FROM ${database}.activity WHERE mc_seqno <= ${last} GROUP BY account, workchain
         SETTINGS optimize_aggregation_in_order = 1)
     ), (
       SELECT arrayMap(x -> toString(x), [toUInt128(uniqExact(account, workchain)), toUInt128(count()),
         toUInt128(countIf(aborted)), toUInt128(countIf(type = 'ord')), toUInt128(sum(out_msg_count)), sum(total_fees)])
       FROM ${input}.transactions WHERE mc_seqno BETWEEN ${first} AND ${last}
     )`,
    QUERY,
  );
  const [[found, expected] = [[], []]] = rows;
  const names = ['accounts', 'transactions', 'aborted', 'messages_in', 'messages_out', 'fees'];
  return names.flatMap((name, i) =>
    found[i] === expected[i] ? [] : [`${name}: ${found[i]}, and ${expected[i]} in base`],
  );
}
