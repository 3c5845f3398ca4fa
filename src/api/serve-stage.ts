import { type FastifyInstance, type FastifyReply, fastify, type RouteOptions } from 'fastify';
import { emulatePlugin } from './emulate/emulate-plugin.ts';
import { addAccessLog, requestId } from './http/access-log.ts';
import { PLAIN_BODY_BYTES } from './http/body-limits.ts';
import { addValidators } from './http/caching/validators.ts';
import { addClientAddress } from './http/client/client-address.ts';
import { compressAnswers } from './http/compress-answers.ts';
import {
  type ConnectionLimits,
  connectionOptions,
  DEFAULT_CONNECTION_LIMITS,
  limitConnections,
} from './http/connections/connection-limits.ts';
import { limitIdleConnections } from './http/connections/idle-connections.ts';
import { listen } from './http/connections/listeners.ts';
import { takeRequestsInTurn } from './http/connections/pipelined-requests.ts';
import { answerClientError } from './http/errors/client-error.ts';
import { errorAnswer } from './http/errors/error-answer.ts';
import { notFound } from './http/errors/not-found.ts';
import { paceAnswers } from './http/fairness/paced-answers.ts';
import { limitRates } from './http/fairness/rate-limits.ts';
import { isLoopback, refuseForeignRequests } from './http/foreign-requests.ts';
import { addFreshnessHeaders } from './http/freshness-headers.ts';
import { HeadClock } from './http/head-clock.ts';
import { addHealthRoutes } from './http/health-routes.ts';
import { addHttpMetrics, addMetricsRoute } from './http/http-metrics.ts';
import { localChainPlugin } from './http/local-chain.ts';
import { addPage } from './http/page.ts';
import { addSecurityHeaders, SECURITY_HEADERS } from './http/security-headers.ts';
import { addTouch } from './http/touch-accounts.ts';
import type { ServeContext } from './serve-context.ts';
import { addServeMetrics } from './serve-metrics.ts';
import { sqlPlugin } from './sql/sql-plugin.ts';
import { streamingPlugin } from './streaming/streaming-plugin.ts';
import { v2Plugin } from './v2/v2-plugin.ts';
import { integrityAnswer } from './v3/answers/integrity-answer.ts';
import { v3Plugin } from './v3/v3-plugin.ts';

/** Address and limits of a server, in addition to its context. */
export interface ServerOptions {
  /** The address that it listens on; default 127.0.0.1. */
  readonly host?: string;
  readonly limits?: Partial<ConnectionLimits>;
  /** Called for every added route; the framework keeps no list of them. */
  readonly onRoute?: (route: RouteOptions) => void;
}

/** The HTTP server of both APIs, ready for `inject` or `listen`; `close()` ends it after the answers under way. */
export async function buildServer(
  context: ServeContext,
  { host = '127.0.0.1', limits: given, onRoute }: ServerOptions = {},
): Promise<FastifyInstance> {
  const { queryTimeoutMs, maxConnections, allowedHost, cors, keylessLimit, trustedProxy } = context.settings;
  const limits = { ...DEFAULT_CONNECTION_LIMITS, maxConnections, ...given };
  const app = fastify({
    ...connectionOptions(limits, queryTimeoutMs),
    bodyLimit: PLAIN_BODY_BYTES,
    genReqId: requestId,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: answerBadAddress,
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
  });
  if (onRoute) app.addHook('onRoute', onRoute);
  addSecurityHeaders(app);
  takeRequestsInTurn(app);
  limitConnections(app, limits);
  const { idleConnections } = context.settings;
  if (idleConnections !== null) limitIdleConnections(app.server, { most: idleConnections, trustedProxy });
  letConnectionsEnd(app);
  addClientAddress(app, trustedProxy);
  addAccessLog(app, context.settings.accessLog ? context.log : null);
  if (context.metrics) addHttpMetrics(app, context.metrics);
  refuseForeignRequests(app, { host, allowedHost, cors });
  await limitRates(app, { keylessLimit, keys: context.keys, counts: context.rateCounts });
  // Each API has one of its own.
  app.setNotFoundHandler(notFound(app));
  const clock = new HeadClock(context);
  addFreshnessHeaders(app, context, clock);
  addTouch(app, context);
  addHealthRoutes(app, context, clock);
  if (context.metrics) {
    addServeMetrics(context.metrics, context, clock);
    if (context.settings.metricsPort === undefined) addMetricsRoute(app, context.metrics, context.peers);
  }
  // Tags the bytes, independent of the encoding that a client accepts.
  addValidators(app);
  compressAnswers(app);
  paceAnswers(app);
  // Next to the other server reports, and among the routes of v3 for clients behind a proxy.
  app.get('/integrity', async () => integrityAnswer(context.integrity));
  addPage(app, context.metadata?.imageBase ?? null);
  await app.register(v3Plugin, { prefix: '/api/v3', context });
  await app.register(emulatePlugin, { prefix: '/api/emulate', context });
  await app.register(v2Plugin, { prefix: '/api/v2', context });
  await app.register(streamingPlugin, { prefix: '/api/streaming', context });
  const controls = context.chain?.controls;
  if (controls) await app.register(localChainPlugin, { prefix: '/localnet', controls, log: context.log });
  if (context.sql) await app.register(sqlPlugin, { prefix: '/sql', context, sql: context.sql });
  return app;
}

/** An address that cannot be read belongs to no plugin; the body follows the API that it seems to mean. */
function answerBadAddress(error: Error, request: { readonly url: string }, reply: unknown): void {
  const { status, body } = errorAnswer(error);
  const isV2 = request.url.startsWith('/api/v2');
  (reply as FastifyReply)
    .headers(SECURITY_HEADERS)
    .code(status)
    .send(isV2 ? { ok: false, ...body } : body);
}

/** Once the server closes, answers under way end their connection: a client that keeps it open would hold the close. */
function letConnectionsEnd(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('Connection', 'close');
    done();
  });
}

/** A server that listens. */
export interface Serving {
  /** `http://host:port` */
  readonly url: string;
  readonly app: FastifyInstance;
  /** Stops listening; resolves when the answers under way are sent. */
  close(): Promise<void>;
}

/** Builds the server and listens; port 0 takes a free one. */
export async function startServing(
  context: ServeContext,
  at: { readonly host: string; readonly port: number; readonly limits?: Partial<ConnectionLimits> },
): Promise<Serving> {
  // Under the name Fastify would start a second server for ::1, which none of the limits reach.
  const host = at.host === 'localhost' ? '127.0.0.1' : at.host;
  const app = await buildServer(context, { ...at, host });
  const url = await listen(app, { host, port: at.port, isShared: context.peers !== undefined });
  if (!isLoopback(host) && context.settings.keylessLimit === null)
    context.log.warn({ host }, 'anybody may call without a limit: see --keyless-limit');
  context.log.info({ url }, 'serving');
  return { url, app, close: () => app.close() };
}
