import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../platform/observability/metrics/metrics.ts';
import type { Peers } from '../../platform/processes/peers.ts';
import { countConnections } from './connections/new-connections.ts';

/** Label of requests without a route: their paths are the clients' own. */
const UNMATCHED = 'unmatched';

/** Counts and times requests by route (its pattern, never the path that was asked for) and status. */
export function addHttpMetrics(app: FastifyInstance, metrics: Metrics): void {
  const requests = metrics.counter({
    name: 'tonhouse_http_requests_total',
    help: 'Requests that were answered',
    labels: ['route', 'status'],
  });
  const durations = metrics.durations({
    name: 'tonhouse_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer',
    labels: ['route'],
  });
  const connections = {
    name: 'tonhouse_http_connections',
    help: 'Open connections of clients',
    together: 'sum',
  } as const;
  metrics.gauge(connections, countConnections(app.server));
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? UNMATCHED;
    requests.inc({ route, status: reply.statusCode });
    durations.observe({ route }, reply.elapsedTime / 1_000);
    done();
  });
}

/**
 * `/metrics`: everything that the process counts, and the other processes of its group. It waits for no turn: it is asked
 * for when the server is busy.
 */
export function addMetricsRoute(app: FastifyInstance, metrics: Metrics, peers?: Peers): void {
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.contentType);
    return peers ? peers.readMetrics() : metrics.text();
  });
}
