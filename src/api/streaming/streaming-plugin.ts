import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { isSocketUpgrade } from '../http/connections/connection-limits.ts';
import { answerClientError } from '../http/errors/client-error.ts';
import { errorAnswer } from '../http/errors/error-answer.ts';
import { notFound } from '../http/errors/not-found.ts';
import { healthStatus } from '../http/health-status.ts';
import { loggedPath } from '../http/logged-path.ts';
import { SECURITY_LINES } from '../http/security-headers.ts';
import type { ServeContext } from '../serve-context.ts';
import { addSocket } from './socket.ts';
import { MAX_CHUNKS, socketBounds } from './socket-bounds.ts';
import { addSse } from './sse.ts';
import { StreamLimitError } from './stream.ts';
import { StreamServer } from './stream-server.ts';
import { StreamingHealthCheck } from './streaming-health.ts';

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
    // Too many requests have v3's answer (errors-and-limits.md 1), too many streams have the streams' answer.
    const isRate = status === 429 && !(error instanceof StreamLimitError);
    reply.code(status).send(isRate ? body : { error: body.error });
  });
  app.setNotFoundHandler(notFound(app));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  // Before the server waits for its connections to end.
  app.addHook('preClose', async () => streams.close());
  const { messageBytes, fragments } = socketBounds(context.settings.streamAddresses);
  await app.register(websocket, {
    options: {
      maxPayload: messageBytes,
      maxFragments: fragments,
      maxBufferedChunks: MAX_CHUNKS,
      perMessageDeflate: false,
      // One message, ping or pong a turn of the event loop.
      allowSynchronousEvents: false,
    },
    // A frame that breaks the protocol: `ws` closes the socket, and its stream ends.
    errorHandler: () => {},
    // The hook above ends streams with a reason.
    preClose: (done) => done(),
  });
  secureHandshakes(app);
  endRefusedUpgrades(app);
  addSse(app, context, streams);
  addSocket(app, context, streams);
  const health = new StreamingHealthCheck(context, streams);
  app.get('/healthz', async (_request, reply) => {
    const found = await health.measure();
    healthStatus(reply, found.ok);
    return found;
  });
};

/** Adds the headers of every answer to those that the WebSocket library writes by itself. */
function secureHandshakes({ websocketServer }: FastifyInstance): void {
  websocketServer.on('headers', (lines: string[]) => lines.push(...SECURITY_LINES));
  websocketServer.on('wsClientError', (error: Error, socket: Socket) =>
    answerClientError(error, socket, ['Sec-WebSocket-Version: 13']),
  );
}

/** A socket that asked for an upgrade belongs to no HTTP server any more: answered otherwise, nobody else would close it. */
function endRefusedUpgrades(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (isSocketUpgrade(raw)) raw.socket.destroy();
  });
}
