import { CachedRead } from '../platform/observability/metrics/cached-read.ts';
import type { Metrics } from '../platform/observability/metrics/metrics.ts';
import { type HeadClock, lagSeconds } from './http/head-clock.ts';
import { admissionOf } from './read/admission.ts';
import type { ServeContext } from './serve-context.ts';
import { READ_PROJECTIONS, stepsBehind, type VersionVector, type VisibleRange } from './version-vector.ts';

/** Adds the metrics of the API: served range, lag, and statements that wait for the store. */
export function addServeMetrics(metrics: Metrics, context: ServeContext, clock: HeadClock): void {
  // The clock asks the store once a head; a store that is away must not hold a scrape up.
  const head = new CachedRead(() => clock.head(), { maxAgeMs: 0 });
  metrics.gauge(
    { name: 'tonhouse_visible_first_seqno', help: 'First masterchain seqno that answers come from' },
    () => visible(context)?.first ?? null,
  );
  metrics.gauge(
    { name: 'tonhouse_visible_last_seqno', help: 'Last masterchain seqno that answers come from' },
    () => visible(context)?.last ?? null,
  );
  metrics.gauge(
    {
      name: 'tonhouse_projection_steps_behind',
      help: 'Masterchain steps that base has and a projection that is answered from lacks',
      labels: ['projection'],
    },
    () => stepsBehindAll(context.vector()),
  );
  metrics.gauge(
    { name: 'tonhouse_head_lag_seconds', help: 'Age of the newest visible masterchain block' },
    async () => {
      const newest = await head.value();
      return newest && lagSeconds(newest, Date.now());
    },
  );
  const admission = admissionOf(context);
  metrics.gauge(
    {
      name: 'tonhouse_api_statements',
      help: 'Statements of answers: running at the store, or waiting for their turn',
      labels: ['state'],
    },
    () => [
      { labels: { state: 'running' }, value: admission.running },
      { labels: { state: 'waiting' }, value: admission.waiting },
    ],
  );
}

function visible(context: ServeContext): VisibleRange | null {
  const { base } = context.vector();
  return base.state === 'served' ? base.visible : null;
}

function stepsBehindAll(vector: VersionVector) {
  return READ_PROJECTIONS.filter((name) => vector[name].state === 'served').map((projection) => ({
    labels: { projection },
    value: stepsBehind(vector, projection),
  }));
}
