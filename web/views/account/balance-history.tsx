import { useJson } from '../../api/use-answer.ts';
import { Panel } from '../../parts/layout.tsx';
import { TimeChart } from '../../parts/time-chart.tsx';
import { type SqlAnswer, toSqlUrl, toTimeSeries } from '../questions/sql.ts';

/** The last balance of each part of the account's life, which is cut into 500 parts. */
const BALANCES = `WITH
    changes AS (SELECT timestamp, lt, amount FROM balances_history WHERE address = {address:String} AND asset = 'TON'),
    (SELECT greatest(1, intDiv(max(timestamp) - min(timestamp), 500)) FROM changes) AS step
SELECT toDateTime(intDiv(timestamp, step) * step, 'UTC') AS time, argMax(amount, lt) / 1e9 AS ton
FROM changes
GROUP BY time
ORDER BY time`;

/** Address of the balances of an account, raw, over time. */
export function toBalancesUrl(address: string): string {
  return toSqlUrl(BALANCES, 'JSONCompact', { address });
}

/** The balance of an account over time. It is not shown if it changed only once, or if SQL is not allowed. */
export function BalanceHistory({ address }: { readonly address: string }) {
  const { answer } = useJson<SqlAnswer>(toBalancesUrl(address));
  const series = answer && toTimeSeries(answer);
  if (!series) return null;
  return (
    <Panel title="Balance over time">
      <TimeChart points={series} label="balance in TON" />
    </Panel>
  );
}
