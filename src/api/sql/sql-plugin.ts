import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toClientName } from '../http/client/ip-address.ts';
import type { ServeContext } from '../serve-context.ts';
import type { SqlPort } from '../sql-port.ts';
import { READ_PROJECTIONS } from '../version-vector.ts';
import { forward, readBody } from './forward.ts';
import { logIn } from './login.ts';
import { refuseFunctions } from './refuse-functions.ts';
import { notReady, SqlError, TooManyLoginsError, tooManyQueries } from './sql-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may have any type: the route reads it itself. */
    takesAnyBody?: boolean;
  }
}

export interface SqlPluginOptions {
  readonly context: ServeContext;
  readonly sql: SqlPort;
}

/** Longest time of a statement and its answer without a byte, ms: the profile allows 600 s. */
const SILENT_MS = 660_000;

/** ClickHouse's HTTP interface for analysts: statements on `/`, and `/ping`. */
export async function sqlPlugin(app: FastifyInstance, { context, sql }: SqlPluginOptions): Promise<void> {
  const running = new Map<string, number>();
  app.removeAllContentTypeParsers();
  // The body stays in the request, which `run` reads.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const config = { takesAnyBody: true };
  app.get('/ping', { config, schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain').send('Ok.\n'),
  );
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    config,
    schema: { hide: true },
    handler: async (request, reply) => {
      try {
        return await answer(request, reply);
      } catch (error) {
        return refuse(reply, error);
      }
    },
  });

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
    if (request.method === 'GET' && !query.has('query')) return reply.type('text/plain').send('Ok.\n');
    const rules = { users: sql.users(), keys: context.keys, failures: sql.failures };
    const address = toClientName(request.clientAddress);
    const { name, turn } = logIn({ headers: request.headers, query, address }, rules);
    const count = running.get(turn) ?? 0;
    if (count >= sql.statements) throw tooManyQueries(turn, sql.statements);
    running.set(turn, count + 1);
    try {
      await run(request, reply, query, name);
    } finally {
      const left = (running.get(turn) ?? 1) - 1;
      if (left === 0) running.delete(turn);
      else running.set(turn, left);
    }
    return reply;
  }

  async function run(request: FastifyRequest, reply: FastifyReply, query: URLSearchParams, caller: string) {
    const { method, headers, raw } = request;
    const body = method === 'POST' ? await readBody(raw) : Buffer.alloc(0);
    refuseFunctions({ query, body, encoding: headers['content-encoding'] });
    await context.freshen?.(READ_PROJECTIONS);
    await sql.ready().catch((error: Error) => {
      throw notReady(error.message);
    });
    raw.socket.setTimeout(SILENT_MS);
    reply.hijack();
    try {
      await forward(sql, { method, query, headers, body, caller }, reply.raw);
    } catch (error) {
      if (reply.raw.headersSent || reply.raw.destroyed) reply.raw.destroy();
      else sendRaw(reply, error);
    }
  }
}

function toSqlError(error: unknown): SqlError {
  return error instanceof SqlError ? error : notReady(error instanceof Error ? error.message : String(error));
}

function toHeaders(error: SqlError): Record<string, string> {
  return {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(error.code),
    ...(error instanceof TooManyLoginsError && { 'Retry-After': String(error.retryAfter) }),
    ...(error.status === 401 && { 'WWW-Authenticate': 'Basic realm="ClickHouse server HTTP API"' }),
  };
}

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toSqlError(error);
  return reply.code(refusal.status).headers(toHeaders(refusal)).send(`${refusal.message}\n`);
}

function sendRaw(reply: FastifyReply, error: unknown): void {
  const refusal = toSqlError(error);
  reply.raw.writeHead(refusal.status, toHeaders(refusal)).end(`${refusal.message}\n`);
}
