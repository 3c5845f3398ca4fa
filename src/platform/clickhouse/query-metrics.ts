import type { Metrics } from '../observability/metrics/metrics.ts';
import type { StoreClientOptions } from './client-options.ts';

/** Times the reading statements of all clients of a process by their routes, which are names in the code. */
export function queryMetrics(metrics: Metrics): NonNullable<StoreClientOptions['onQuery']> {
  const durations = metrics.durations({
    name: 'tonhouse_store_query_duration_seconds',
    help: 'Reading statements at the store by who asks, the failed ones included',
    labels: ['route'],
  });
  return (route, seconds) => durations.observe({ route }, seconds);
}
