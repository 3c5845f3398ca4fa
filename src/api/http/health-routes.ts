import type { FastifyInstance } from 'fastify';
import { CachedRead, ReadTooSlowError } from '../../platform/observability/metrics/cached-read.ts';
import type { ServeContext, ServeHealth } from '../serve-context.ts';
import {
  type ProjectionName,
  ProjectionUnavailableError,
  READ_PROJECTIONS,
  resolveReads,
  stepsBehind,
  type VersionVector,
} from '../version-vector.ts';
import { type HeadClock, lagSeconds } from './head-clock.ts';
import { healthStatus } from './health-status.ts';
import { readQueryString } from './query-string.ts';

/** Maximum time of `/healthz` for the log's facts, milliseconds. */
const FACTS_MS = 5_000;
const TEXT = 'text/plain; charset=utf-8';

/**
 * `/healthcheck`: the process answers. `/readyz`: the store answers, something is visible and no stage of the process
 * waits for another process, else 503; with `?verbose` the state of each projection. `/readyz/<projection>`: it can be
 * answered from, else 503. `/healthz`: indexed range, lag, and records that failed to decode.
 */
export function addHealthRoutes(app: FastifyInstance, context: ServeContext, clock: HeadClock): void {
  const facts = new CachedRead(() => context.health(), { maxAgeMs: 0, waitMs: FACTS_MS });
  app.get('/healthcheck', (_request, reply) => {
    reply.type(TEXT).send('OK');
  });
  addReadiness(app, context);
  app.get('/healthz', async (_request, reply) => {
    const vector = context.vector();
    const [store, head, health] = await Promise.all([
      context.client.ping(),
      clock.head(),
      facts.value().catch(lateFacts),
    ]);
    healthStatus(reply, store && health !== null);
    const { base } = vector;
    return {
      status: getStatus(store, context, health),
      network: context.network.label,
      database: base.state === 'off' ? null : base.database,
      visible: base.state === 'served' ? base.visible : null,
      head,
      lag_seconds: head && lagSeconds(head, Date.now()),
      projections: getProjections(vector),
      dead_letters: health?.deadLetters ?? null,
      ...(context.metadata?.imageBase && { images: context.metadata.imageBase }),
      ...health?.facts,
    };
  });
}

/** @returns null if the facts took too long. @throws any other error */
function lateFacts(error: unknown): null {
  if (error instanceof ReadTooSlowError) return null;
  throw error;
}

function addReadiness(app: FastifyInstance, context: ServeContext): void {
  app.get('/readyz', async (request, reply) => {
    const vector = context.vector();
    const missing = getStatus(await context.client.ping(), context, { deadLetters: 0 });
    healthStatus(reply, missing === 'ok').type(TEXT);
    if (!readQueryString(request.url).has('verbose')) return missing;
    return [missing, ...READ_PROJECTIONS.map((name) => `${name}: ${readiness(vector, name)}`)].join('\n');
  });
  for (const name of READ_PROJECTIONS)
    app.get(`/readyz/${name}`, async (_request, reply) => {
      const found = (await context.client.ping()) ? readiness(context.vector(), name) : 'store is away';
      healthStatus(reply, found === 'ok').type(TEXT);
      return found;
    });
}

/** `ok`, or why the projection cannot be answered from. */
function readiness(vector: VersionVector, name: ProjectionName): string {
  try {
    resolveReads(vector, [name]);
    return 'ok';
  } catch (error) {
    if (error instanceof ProjectionUnavailableError) return error.message;
    throw error;
  }
}

/** `health`: null if the log did not answer in time. */
function getStatus(store: boolean, context: ServeContext, health: ServeHealth | null): string {
  const { base } = context.vector();
  const refused = context.refused?.() ?? null;
  if (!store) return 'store is away';
  if (!health) return 'log is away';
  const { deadLetters, isDamaged } = health;
  if (isDamaged) return 'degraded: rows are missing, see `tonhouse verify --repair`';
  const wait = context.waits?.() ?? null;
  if (wait !== null) return wait;
  if (base.state !== 'served') return 'nothing indexed yet';
  if (refused !== null) return refused;
  return deadLetters > 0 ? 'dead letters' : 'ok';
}

/** State, version and range of each projection, and its lag after `base` in masterchain steps. */
function getProjections(vector: VersionVector) {
  return Object.fromEntries(
    READ_PROJECTIONS.map((name) => [name, { ...vector[name], steps_behind: stepsBehind(vector, name) }]),
  );
}
