import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { errorAnswer } from '../http/error-answer.ts';
import { isForeign } from '../http/foreign-requests.ts';
import { HttpError } from '../http/http-error.ts';
import type { ServeContext } from '../serve-context.ts';
import type { Wire } from './outbox.ts';
import { positionText } from './position.ts';
import { actionsVersionOf } from './request-facts.ts';
import { answerRequest, type SocketChoices } from './socket-requests.ts';
import { STREAMED, type Stream, StreamLimitError } from './stream.ts';
import type { FramedEvent } from './stream-event.ts';
import { KEEP_ALIVE_MS, type StreamServer } from './stream-server.ts';

/** A client that answers no ping and says nothing for so many intervals is dropped. */
const SILENT_INTERVALS = 4;
/** Requests of one connection in a second. */
const MOST_REQUESTS = 20;
/** WebSocket close codes (RFC 6455, 7.4.1): the client broke a rule; it may come again. */
const POLICY = 1008;
const TRY_AGAIN = 1013;
/** The longest reason of a close frame, bytes. */
const LONGEST_REASON = 123;

/** `GET /v2/ws` (streaming.md 4): requests of the client change one subscription. */
export function addSocket(app: FastifyInstance, context: ServeContext, streams: StreamServer): void {
  app.route({
    method: 'GET',
    url: '/v2/ws',
    config: { reads: STREAMED },
    preValidation: async (request) => {
      if (context.settings.cors !== '*' && isForeign(request, context.settings.cors))
        throw new HttpError(403, 'pages of this origin may not open streams: see --cors');
      // A client over its limits is refused in a frame, once the connection stands.
      try {
        streams.check(request);
      } catch (error) {
        if (!(error instanceof StreamLimitError)) throw error;
      }
    },
    handler: async (_request, reply) => {
      reply.header('Upgrade', 'websocket');
      throw new HttpError(426, 'an upgrade to websocket is required');
    },
    wsHandler: (socket, request) => serveSocket(socket, request, { context, streams }),
  });
}

interface Parts {
  readonly context: ServeContext;
  readonly streams: StreamServer;
}

function serveSocket(socket: WebSocket, request: FastifyRequest, { context, streams }: Parts): void {
  const choices: SocketChoices = { withIds: false };
  const frame = () => (choices.withIds ? numberedFrame : plainFrame);
  let stream: Stream;
  try {
    stream = streams.open(request, { name: 'ws', wire: socketWire(socket), frame });
  } catch (error) {
    refuse(socket, error);
    return;
  }
  const counted = new RequestCount();
  let quiet = 0;
  socket.on('message', (data, isBinary) => {
    quiet = 0;
    if (!counted.take()) return stream.end('too many requests');
    const text = isBinary ? null : String(data);
    const asked = { text, stream, choices, actionsVersion: actionsVersionOf(request) };
    stream.tell(JSON.stringify(answerRequest(asked, context)));
  });
  socket.on('pong', () => {
    quiet = 0;
  });
  const timer = setInterval(() => {
    stream.checkProgress();
    if (++quiet > SILENT_INTERVALS) stream.end('silent client: it answered no ping');
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, KEEP_ALIVE_MS);
  socket.once('close', () => {
    clearInterval(timer);
    stream.gone();
  });
}

const plainFrame = ({ json }: FramedEvent) => json;

function numberedFrame({ position, json }: FramedEvent): string {
  return position === null ? json : `{"event_id":"${positionText(position)}",${json.slice(1)}`;
}

/** Says in a frame why no stream is opened, then closes. */
function refuse(socket: WebSocket, error: unknown): void {
  const { body } = errorAnswer(error);
  socket.send(JSON.stringify({ error: body.error }));
  socket.close(TRY_AGAIN, body.error.slice(0, LONGEST_REASON));
}

/** Frames of a WebSocket. */
export function socketWire(socket: WebSocket): Wire {
  return {
    write: (data, done) => socket.send(data, { binary: false }, () => done()),
    end: (reason) => {
      const code = reason.startsWith('too many') ? POLICY : TRY_AGAIN;
      socket.send(JSON.stringify({ error: reason }), () => {});
      socket.close(code, reason.slice(0, LONGEST_REASON));
    },
    destroy: () => socket.terminate(),
  };
}

/** Counts the requests of a connection by the second. */
class RequestCount {
  #second = 0;
  #count = 0;

  /** Whether one more may come now. */
  take(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#count = 0;
    this.#second = second;
    return ++this.#count <= MOST_REQUESTS;
  }
}
