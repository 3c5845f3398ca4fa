import { type FastifyInstance, fastify } from 'fastify';
import { addAccessLog, requestId } from '../http/access-log.ts';
import { addClientAddress } from '../http/client/client-address.ts';
import {
  connectionOptions,
  DEFAULT_CONNECTION_LIMITS,
  limitConnections,
} from '../http/connections/connection-limits.ts';
import { refuseForeignRequests } from '../http/foreign-requests.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import type { ServeContext } from '../serve-context.ts';
import type { SqlPort } from '../sql-port.ts';
import { MAX_BODY_BYTES } from './forward.ts';
import { sqlPlugin } from './sql-plugin.ts';

/** ClickHouse's HTTP interface on a port of its own. Port 0 takes a free one. Resolves when it listens. */
export async function startSqlServer(
  context: ServeContext,
  sql: SqlPort,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const app = await buildSqlServer(context, sql, host);
  const url = await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
  return { url, close: () => app.close() };
}

async function buildSqlServer(context: ServeContext, sql: SqlPort, host: string): Promise<FastifyInstance> {
  const { maxConnections, queryTimeoutMs, trustedProxy, accessLog, allowedHost, cors } = context.settings;
  const limits = { ...DEFAULT_CONNECTION_LIMITS, maxConnections };
  const app = fastify({
    ...connectionOptions(limits, queryTimeoutMs),
    bodyLimit: MAX_BODY_BYTES,
    genReqId: requestId,
    forceCloseConnections: 'idle',
  });
  addSecurityHeaders(app);
  limitConnections(app, limits);
  addClientAddress(app, trustedProxy);
  addAccessLog(app, accessLog ? context.log : null);
  refuseForeignRequests(app, { host, allowedHost, cors });
  await app.register(sqlPlugin, { context, sql });
  return app;
}
