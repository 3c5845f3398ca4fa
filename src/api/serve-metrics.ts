import { CachedRead } from '../platform/observability/metrics/cached-read.ts';
import type { Metrics } from '../platform/observability/metrics/metrics.ts';
import { type HeadClock, lagSeconds } from './http/head-clock.ts';
import type { IntegrityPort, ProjectionProof } from './integrity-port.ts';
import { getAdmission, getHeavyAdmission } from './query/admission.ts';
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
  const { integrity } = context;
  if (integrity) addIntegrityMetrics(metrics, integrity);
  const [admission, heavy] = [getAdmission(context), getHeavyAdmission(context)];
  metrics.gauge(
    {
      name: 'tonhouse_api_statements',
      help: 'Statements of answers: running at the store, or waiting for their turn',
      together: 'sum',
      labels: ['state'],
    },
    () => [
      { labels: { state: 'running' }, value: admission.running },
      { labels: { state: 'waiting' }, value: admission.waiting + heavy.waiting },
    ],
  );
}

function addIntegrityMetrics(metrics: Metrics, integrity: IntegrityPort): void {
  metrics.gauge(
    {
      name: 'tonhouse_integrity_problems',
      help: 'Breaches that the continuous proof of the tables found and still finds',
      labels: ['projection'],
    },
    () => ofProofs(integrity, ({ state }) => state.findings.reduce((sum, { problems }) => sum + problems, 0)),
  );
  metrics.gauge(
    {
      name: 'tonhouse_integrity_unproven_steps',
      help: 'Visible masterchain steps that the round of the proof has not checked yet',
      labels: ['projection'],
    },
    () => ofProofs(integrity, ({ unprovenSteps }) => unprovenSteps),
  );
  metrics.gauge(
    {
      name: 'tonhouse_integrity_last_proof_timestamp_seconds',
      help: 'Time of the last check of the proof',
      labels: ['projection'],
    },
    () => ofProofs(integrity, ({ state }) => (state.last?.at ?? 0) / 1_000),
  );
}

function ofProofs(integrity: IntegrityPort, read: (proof: ProjectionProof) => number) {
  return integrity.proofs().map((proof) => ({
    labels: { projection: proof.projection },
    value: read(proof),
  }));
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
