import type { Metrics } from '../../platform/observability/metrics/metrics.ts';
import type { LiteServer, ServerState } from './lite-server.ts';
import type { LiveSource } from './liteserver-source.ts';
import type { FetchedCounts } from './live-progress.ts';
import type { FailureKind } from './server-errors.ts';
import type { TrustLevel } from './trust.ts';

/** One lite server, as status and `/healthz` show it. */
interface ServerReport {
  readonly server: string;
  readonly state: ServerState;
  readonly delivered: number;
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>;
  readonly latency_ms: number;
  readonly announced: number | null;
  readonly last_error: string | null;
}

/** A live network: its servers, how far this process is, and what proves its blocks. */
export interface LiveReport {
  readonly trust: TrustLevel;
  /** The newest key block that signatures proved. */
  readonly key_block: number | null;
  /** The newest masterchain block that this process read. */
  readonly head: number | null;
  /** Seconds of the network's clock since that block. */
  readonly head_lag_seconds: number | null;
  /** Masterchain blocks read in the last ten seconds, per second. */
  readonly masterchain_blocks_per_second: number;
  /** What an index in mid-chain lacked. */
  readonly fetched: Readonly<FetchedCounts>;
  readonly servers: readonly ServerReport[];
}

export function liveReport({ pool, trust, progress }: LiveSource): LiveReport {
  const now = pool.networkTime();
  const { last } = progress;
  return {
    trust: trust.level,
    key_block: trust.keyBlock,
    head: last?.seqno ?? null,
    head_lag_seconds: last && now !== null ? Math.round((now - last.utime) * 10) / 10 : null,
    masterchain_blocks_per_second: progress.rate(),
    fetched: { ...progress.fetched },
    servers: pool.servers.map(serverReport),
  };
}

function serverReport({ name, state, health, announced, lastError }: LiteServer): ServerReport {
  return {
    server: name,
    state,
    delivered: health.delivered,
    failures: Object.fromEntries(health.failures),
    latency_ms: Math.round(health.latencyMs * 10) / 10,
    announced,
    last_error: lastError?.message ?? null,
  };
}

/** Metrics of a live network. Servers are those of the configuration, so their number is bounded. */
export function addLiveMetrics(metrics: Metrics, live: LiveSource): void {
  const { servers } = live.pool;
  metrics.gauge(
    {
      name: 'tonhouse_liteserver_ready',
      help: '1 if the lite server is connected and of the right network',
      labels: ['server'],
    },
    () => servers.map(({ name, state }) => ({ labels: { server: name }, value: state === 'ready' ? 1 : 0 })),
  );
  metrics.gauge(
    {
      name: 'tonhouse_liteserver_delivered_total',
      help: 'Answers of a lite server that passed their checks',
      labels: ['server'],
    },
    () => servers.map(({ name, health }) => ({ labels: { server: name }, value: health.delivered })),
  );
  metrics.gauge(
    {
      name: 'tonhouse_liteserver_failures_total',
      help: 'Failures of a lite server by kind; data: its data failed a check',
      labels: ['server', 'kind'],
    },
    () =>
      servers.flatMap(({ name, health }) =>
        [...health.failures].map(([kind, value]) => ({ labels: { server: name, kind }, value })),
      ),
  );
  metrics.gauge(
    { name: 'tonhouse_live_head_lag_seconds', help: "Age of the newest block read, by the network's clock" },
    () => liveReport(live).head_lag_seconds,
  );
  metrics.gauge(
    {
      name: 'tonhouse_live_fetched_total',
      help: 'Accounts, libraries and cells fetched from lite servers for an index that begins in mid-chain',
      labels: ['kind'],
    },
    () =>
      (['accounts', 'libraries', 'cells'] as const).map((kind) => ({
        labels: { kind },
        value: live.progress.fetched[kind],
      })),
  );
  metrics.gauge(
    { name: 'tonhouse_live_key_block_seqno', help: 'The newest key block that signatures proved' },
    () => live.trust.keyBlock,
  );
}
