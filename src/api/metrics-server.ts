import { fastify } from 'fastify';
import type { Metrics } from '../platform/observability/metrics/metrics.ts';
import type { Peers } from '../platform/processes/peers.ts';
import {
  connectionOptions,
  DEFAULT_CONNECTION_LIMITS,
  limitConnections,
} from './http/connections/connection-limits.ts';
import { notFound } from './http/errors/not-found.ts';
import { refuseForeignRequests } from './http/foreign-requests.ts';
import { addMetricsRoute } from './http/http-metrics.ts';
import { addSecurityHeaders } from './http/security-headers.ts';

/** A scrape reads gauges for two seconds at most. */
const ANSWER_MS = 5_000;
/** Connections of the metrics server: scrapes come one after the other. */
const CONNECTIONS = 32;

export interface MetricsAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Allowed host names in addition to loopback's. */
  readonly allowedHost?: readonly string[];
  /** The other processes of the group, which share the address. */
  readonly peers?: Peers | undefined;
}

/** Answers `/metrics`, and nothing else, on an address of its own. */
export async function startMetricsServer(
  metrics: Metrics,
  { host, port, allowedHost = [], peers }: MetricsAddress,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const limits = { ...DEFAULT_CONNECTION_LIMITS, maxConnections: CONNECTIONS };
  const app = fastify({
    ...connectionOptions(limits, ANSWER_MS),
    return503OnClosing: true,
    forceCloseConnections: true,
  });
  limitConnections(app, limits);
  addSecurityHeaders(app);
  app.setNotFoundHandler(notFound(app));
  refuseForeignRequests(app, { host, allowedHost, cors: 'off' });
  addMetricsRoute(app, metrics, peers);
  const url = await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
  return { url, close: () => app.close() };
}
