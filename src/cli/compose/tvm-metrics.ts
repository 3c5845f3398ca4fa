import type { Metrics } from '../../platform/observability/metrics/metrics.ts';
import type { TvmPool } from '../../tvm/pool/tvm-pool.ts';

/** Calls of a pool that run or wait for a thread, and its threads. */
export function addTvmMetrics(metrics: Metrics, pool: TvmPool): void {
  metrics.gauge(
    {
      name: 'tonhouse_tvm_calls',
      help: 'Get methods and estimates: running in a thread, or waiting for one',
      together: 'sum',
      labels: ['state'],
    },
    () => [
      { labels: { state: 'running' }, value: pool.running },
      { labels: { state: 'waiting' }, value: pool.queued },
    ],
  );
  metrics.gauge(
    { name: 'tonhouse_tvm_threads', help: 'Threads that run contracts, started and alive', together: 'sum' },
    () => pool.started,
  );
}
