import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { isSocketUpgrade } from '../http/connection-limits.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { loggedPath } from '../http/logged-path.ts';
import { notFound } from '../http/not-found.ts';
import type { ServeContext } from '../serve-context.ts';
import { addSocket } from './socket.ts';
import { addSse, SUBSCRIPTION_BYTES } from './sse.ts';
import { StreamServer } from './stream-server.ts';

/** The streaming API, version 2; registered with prefix /api/streaming. */
export const streamingPlugin: FastifyPluginAsync<{ readonly context: ServeContext }> = async (
  app,
  { context },
) => {
  const streams = new StreamServer(context);
  app.setErrorHandler((error, request, reply) => {
    const { status, body, logged, retryAfter } = errorAnswer(error);
    if (logged) context.log.error({ error, id: request.id, url: loggedPath(request.url) }, 'a stream failed');
    if (retryAfter !== null) reply.header('Retry-After', retryAfter);
    reply.code(status).send({ error: body.error });
  });
  app.setNotFoundHandler(notFound(app));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  // Before the server waits for its connections to end.
  app.addHook('preClose', async () => streams.close());
  await app.register(websocket, {
    options: { maxPayload: SUBSCRIPTION_BYTES, perMessageDeflate: false },
    // A frame that breaks the protocol, or a connection that broke: the socket is closed already.
    errorHandler: (_error, socket) => socket.terminate(),
    // Streams are ended by the hook above, which says why.
    preClose: (done) => done(),
  });
  endRefusedUpgrades(app);
  addSse(app, context, streams);
  addSocket(app, context, streams);
  app.get('/healthz', async (_request, reply) => {
    const { base } = context.vector();
    const ok = base.state === 'served' && (await context.client.ping());
    reply.code(ok ? 200 : 503);
    return { ok, now: Math.floor(Date.now() / 1_000), components: {} };
  });
};

/** A socket that asked for an upgrade belongs to no HTTP server any more: answered otherwise, nobody else would close it. */
function endRefusedUpgrades(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (isSocketUpgrade(raw)) raw.socket.destroy();
  });
}
