import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import { isJsonObject, JsonTextError, type JsonValue, parseJsonWithoutNumbers } from '../http/json-source.ts';
import type { ServeContext } from '../serve-context.ts';
import type { Wire } from './outbox.ts';
import { type Position, positionText } from './position.ts';
import { readId, readSubscription, refused, SSE_WORDS } from './read-subscription.ts';
import { getActionsVersion, startAt } from './request-facts.ts';
import { STREAMED, type Stream } from './stream.ts';
import type { FramedEvent } from './stream-event.ts';
import { KEEP_ALIVE_MS, type StreamServer } from './stream-server.ts';

/** Bytes of a subscription: a thousand addresses and as many hashes, and room. */
export const SUBSCRIPTION_BYTES = 256 * 1024;
/** Smaller ones take less than a millisecond to be read. */
const LARGE_BYTES = 8 * 1024;

/** `POST /v2/sse` (streaming.md 3): one subscription for the life of the connection. */
export function addSse(app: FastifyInstance, context: ServeContext, streams: StreamServer): void {
  const { turns } = streams;
  const inTurn: preHandlerHookHandler = ({ body }, _reply, done) => {
    if (String(body).length < LARGE_BYTES) done();
    else turns.take(done);
  };
  const options = { bodyLimit: SUBSCRIPTION_BYTES, config: { reads: STREAMED }, preHandler: inTurn };
  app.post('/v2/sse', options, (request, reply) => {
    const body = readBody(request.body);
    const id = readId(body, SSE_WORDS.unreadable);
    const subscription = readSubscription(body, {
      words: SSE_WORDS,
      mostAddresses: context.settings.streamAddresses,
      actionsVersion: getActionsVersion(request),
    });
    const from = parseStart(request, body);
    const { raw } = reply;
    const stream = streams.open(request, { name: 'sse', wire: sseWire(raw), frame: () => eventFrame });
    try {
      stream.subscribe(subscription, from);
    } catch (error) {
      stream.gone();
      throw error;
    }
    begin(reply);
    // The first position is sent before any event: a disconnected client resumes from it.
    stream.sendFrame(
      `id: ${stream.eventId}\nevent: connected\ndata: ${JSON.stringify({ ...(id === null ? {} : { id }), status: 'subscribed' })}\n\n`,
    );
    keepAlive(raw, stream);
  });
}

/** The header `Last-Event-ID`, or the field `last_event_id` of a request. @throws HttpError 400 */
function parseStart({ headers }: FastifyRequest, body: JsonValue): Position | null {
  const sent = headers['last-event-id']?.toString() || (isJsonObject(body) ? body.last_event_id : null);
  if (sent === null || sent === undefined || sent === '') return null;
  return startAt(String(sent));
}

/** @throws HttpError 400 */
function readBody(body: unknown): JsonValue {
  try {
    return parseJsonWithoutNumbers(typeof body === 'string' ? body : '');
  } catch (error) {
    if (error instanceof JsonTextError) throw refused(`${SSE_WORDS.unreadable}: the body is not JSON`);
    throw error;
  }
}

/** Sends the head of the answer, with the headers that hooks have set, and takes the connection over. */
function begin(reply: FastifyReply): void {
  reply.header('Content-Type', 'text/event-stream');
  reply.header('Cache-Control', 'no-cache');
  reply.header('Connection', 'keep-alive');
  reply.header('X-Accel-Buffering', 'no');
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
}

function eventFrame({ position, json }: FramedEvent): string {
  const id = position === null ? '' : `id: ${positionText(position)}\n`;
  return `${id}event: event\ndata: ${json}\n\n`;
}

/** Frames of an answer whose head is sent. */
export function sseWire(raw: ServerResponse): Wire {
  return {
    write: (data, done) => void raw.write(data, () => done()),
    end: (reason) => {
      if (!raw.headersSent) return;
      raw.end(`event: error\ndata: ${JSON.stringify({ error: reason })}\n\n`, () => raw.socket?.end());
    },
    destroy: () => raw.destroy(),
  };
}

/** A keep-alive contains the position: a resuming client need not search unwanted steps. */
function keepAlive(raw: ServerResponse, stream: Stream): void {
  let sentId = stream.eventId;
  const timer = setInterval(() => {
    stream.checkProgress();
    const { eventId } = stream;
    if (eventId !== null)
      stream.sendFrame(eventId === sentId ? ': keepalive\n\n' : `: keepalive\nid: ${eventId}\n\n`);
    sentId = eventId;
  }, KEEP_ALIVE_MS);
  const over = () => {
    clearInterval(timer);
    stream.gone();
  };
  raw.once('close', over).on('error', () => {});
  if (raw.destroyed) over();
}
