import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { errorAnswer } from '../http/errors/error-answer.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { isForeign } from '../http/foreign-requests.ts';
import type { ServeContext } from '../serve-context.ts';
import { type EndKind, FAREWELL_MS, type Wire } from './outbox.ts';
import { positionText } from './position.ts';
import { getActionsVersion } from './request-facts.ts';
import { socketBounds } from './socket-bounds.ts';
import { SocketInbox } from './socket-inbox.ts';
import { SocketIntake } from './socket-intake.ts';
import { answerRequest, refuseBeyondRate, type SocketChoices } from './socket-requests.ts';
import { STREAMED, type Stream, StreamLimitError } from './stream.ts';
import type { FramedEvent } from './stream-event.ts';
import { KEEP_ALIVE_MS, type StreamServer } from './stream-server.ts';

/** A client that sends nothing, not even a pong, for this many intervals is dropped. */
const SILENT_INTERVALS = 4;
/** WebSocket close codes (RFC 6455, 7.4.1, and the registry of its section 11.7). */
const CLOSE_CODES = { refused: 1008, 'too long': 1009, again: 1013 } as const satisfies Record<
  EndKind,
  number
>;
/** The longest reason of a close frame, bytes. */
const MAX_REASON_BYTES = 123;

/** `GET /v2/ws` (streaming.md 4): requests of the client change one subscription. */
export function addSocket(app: FastifyInstance, context: ServeContext, streams: StreamServer): void {
  app.route({
    method: 'GET',
    url: '/v2/ws',
    config: { reads: STREAMED },
    preValidation: async (request) => {
      if (context.settings.cors !== '*' && isForeign(request, context.settings.cors))
        throw new HttpError(403, 'pages of this origin may not open streams: see --cors');
      // A client over its limits is refused in a frame, after the connection is open.
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
    wsHandler: (socket, request) => serveSocket(socket, request, { app, context, streams }),
  });
}

interface Parts {
  readonly app: FastifyInstance;
  readonly context: ServeContext;
  readonly streams: StreamServer;
}

function serveSocket(socket: WebSocket, request: FastifyRequest, parts: Parts): void {
  const { streams } = parts;
  const choices: SocketChoices = { withIds: false };
  const frame = () => (choices.withIds ? numberedFrame : plainFrame);
  let stream: Stream;
  try {
    stream = streams.open(request, { name: 'ws', wire: socketWire(socket), frame });
  } catch (error) {
    refuse(socket, error);
    return;
  }
  const inbox = openInbox(socket, request, { ...parts, stream, choices });
  let quiet = 0;
  socket.on('message', (data, isBinary) => {
    quiet = 0;
    inbox.add(isBinary ? null : (data as Buffer));
  });
  // `ws` has sent the close code of the error. The stream's end closes the connection.
  socket.on('error', () => stream.end('invalid frame', 'refused'));
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

interface OpenParts extends Parts {
  readonly stream: Stream;
  readonly choices: SocketChoices;
}

/** Reads what a client sends within its bounds, and answers its messages within its rate. */
function openInbox(socket: WebSocket, request: FastifyRequest, parts: OpenParts): SocketInbox {
  const { app, context, streams, stream, choices } = parts;
  const intake = new SocketIntake({
    socket,
    connection: request.raw.socket,
    stream,
    bounds: socketBounds(context.settings.streamAddresses),
    takeBytes: (bytes) => streams.takeBytes(stream.client, bytes),
  });
  // The upgrade was counted: together with the first message it is one request, like server-sent events.
  let isCounted = true;
  return new SocketInbox({
    stream,
    turns: streams.turns,
    hold: () => intake.hold(),
    isAllowed: () => streams.checkKey(stream),
    refuse: async (message) => {
      const isFirst = isCounted;
      isCounted = false;
      if (isFirst || !streams.checkKey(stream)) return null;
      return (await app.countMore(request)) ? null : refuseBeyondRate(message);
    },
    answer: (message) => {
      const text = message === null ? null : String(message);
      return answerRequest({ text, stream, choices, actionsVersion: getActionsVersion(request) }, context);
    },
    onFailure: (error) => {
      context.log.error({ error }, 'a message of a stream could not be answered');
      stream.end('internal failure');
    },
  });
}

const plainFrame = ({ json }: FramedEvent) => json;

function numberedFrame({ position, json }: FramedEvent): string {
  return position === null ? json : `{"event_id":"${positionText(position)}",${json.slice(1)}`;
}

/** Sends the reason of a refusal in a frame, then closes. */
function refuse(socket: WebSocket, error: unknown): void {
  const { body } = errorAnswer(error);
  socket.send(JSON.stringify({ error: body.error }));
  socket.close(CLOSE_CODES.again, body.error.slice(0, MAX_REASON_BYTES));
  setTimeout(() => socket.terminate(), FAREWELL_MS).unref();
}

/** Frames of a WebSocket. */
export function socketWire(socket: WebSocket): Wire {
  return {
    write: (data, done) => socket.send(data, { binary: false }, () => done()),
    end: (reason, kind) => {
      socket.send(JSON.stringify({ error: reason }), () => {});
      socket.close(CLOSE_CODES[kind], reason.slice(0, MAX_REASON_BYTES));
    },
    destroy: () => socket.terminate(),
  };
}
