import type { ChainCheckOptions } from '../../engine/projection/projection.ts';
import { type CheckResult, NO_BEGINNING } from '../../engine/projection/table-audit.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';

const QUERY = { route: 'verify/traces', ...TABLE_QUERY } as const;

/** Checks the traces against the transactions and messages that `base` has of the same steps. */
export async function tracesChecks(options: ChainCheckOptions): Promise<readonly CheckResult[]> {
  const { beginning } = options;
  const samples = beginning ? await differences(options, beginning.first, beginning.last) : [];
  return [
    {
      name: 'traces-joined',
      law: 'each transaction is in one trace, and each internal message with both ends in the index joins its two',
      problems: samples.length,
      samples,
      ...(beginning === null && { skipped: NO_BEGINNING }),
    },
  ];
}

async function differences(
  { client, database, input }: ChainCheckOptions,
  first: number,
  last: number,
): Promise<string[]> {
  const within = `mc_seqno BETWEEN ${first} AND ${last}`;
  const { rows } = await client.queryRows<[string[], string[]]>(
    `SELECT (
       SELECT arrayMap(x -> toString(x), [toUInt64(count()), toUInt64(countIf(depth > 0)), toUInt64((
         SELECT sum(transactions) FROM (
           SELECT transactions FROM ${database}.traces WHERE mc_seqno <= ${last}
           ORDER BY start_lt, trace8, mc_seqno DESC LIMIT 1 BY start_lt, trace8)
       ))]) FROM ${database}.trace_transactions WHERE ${within}
     ), (
       SELECT arrayMap(x -> toString(x), [count(), toUInt64((
         SELECT countIf(ends > 1) FROM (
           SELECT uniqExact(side) AS ends FROM ${input}.messages WHERE kind = 'internal' AND ${within}
           GROUP BY created_lt, hash8 SETTINGS optimize_aggregation_in_order = 1)
       )), count()]) FROM ${input}.transactions WHERE ${within}
     )`,
    QUERY,
  );
  const [[found, expected] = [[], []]] = rows;
  const names = ['transactions', 'joined messages', 'transactions as the traces count them'];
  return names.flatMap((name, i) =>
    found[i] === expected[i] ? [] : [`${name}: ${found[i]}, and ${expected[i]} in base`],
  );
}
