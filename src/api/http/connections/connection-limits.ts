import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { SecureResponse } from '../security-headers.ts';
import { takeConnectionsInTurn } from './new-connections.ts';

/** Limits of a server: connections, and times of each. */
export interface ConnectionLimits {
  /** Connections at the same time; further ones are closed at once. */
  readonly maxConnections: number;
  /** Milliseconds for a whole request, its body included, to arrive. */
  readonly requestMs: number;
  /** Milliseconds between two requests of a connection. */
  readonly idleMs: number;
  /** Milliseconds without a byte either way, in addition to an answer's time. */
  readonly silentMs: number;
  /** Milliseconds to read a long answer, in addition to the time for its bytes. */
  readonly readMs: number;
  readonly minBytesPerSecond: number;
  /** Bytes of answers that are not read yet; beyond it the slowest readers lose their connections. */
  readonly maxUnsentBytes: number;
  /** Milliseconds that an answer has before it can be one that its client does not read. */
  readonly settledMs: number;
  /** Milliseconds for answers under way when the server closes; then all connections end. */
  readonly closeMs: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  maxConnections: 1_000,
  requestMs: 30_000,
  idleMs: 30_000,
  silentMs: 30_000,
  readMs: 10_000,
  minBytesPerSecond: 64 * 1024,
  maxUnsentBytes: 256 * 1024 ** 2,
  settledMs: 1_000,
  closeMs: 5_000,
};

/**
 * The longest list of an address's query: 1,024 raw addresses, encoded, under a name of 20 characters, take some 100 KB.
 * Node's own limit is 16 KB.
 */
const MAX_HEADER_BYTES = 128 * 1024;
/** Late requests are looked for this often. */
const CHECK_MS = 1_000;
/** A shorter answer fits into the buffers of the system: the time without a byte bounds it. */
const LONG_ANSWER_BYTES = 64 * 1024;
/** A busy machine needs more than Fastify's ten seconds for the parts of a server. */
const START_MS = 120_000;
/** The only path that may be upgraded, to a WebSocket. */
const SOCKET_PATH = '/api/streaming/v2/ws';

/** The options of a Fastify server that keeps the limits; `answerMs`: the longest time of an answer. */
export function connectionOptions(limits: ConnectionLimits, answerMs: number): FastifyHttpOptions<Server> {
  return {
    http: {
      ServerResponse: SecureResponse,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(CHECK_MS, limits.requestMs),
      // Others (h2c, which some clients ask for at every server) are answered as if they had not asked.
      shouldUpgradeCallback: isSocketUpgrade,
    },
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionTimeout: limits.silentMs + answerMs,
    pluginTimeout: START_MS,
  };
}

/** Whether a request asks for the WebSocket of the streaming API. */
export function isSocketUpgrade({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return url?.split('?', 1)[0] === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Bounds the connections of a server, the time of readers, and the time of its close. */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  takeConnectionsInTurn(app, limits.maxConnections);
  endSlowReaders(app, limits);
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setTimeout(() => app.server.closeAllConnections(), limits.closeMs);
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}

/** Ends connections whose client reads a long answer too slowly, the oldest first where too much is unread. */
function endSlowReaders(app: FastifyInstance, limits: ConnectionLimits): void {
  const unread = new Map<ServerResponse, { readonly bytes: number; readonly since: number }>();
  let total = 0;
  app.addHook('onSend', async (_request, reply, payload) => {
    const bytes = getLength(payload);
    if (bytes < LONG_ANSWER_BYTES) return payload;
    const { raw } = reply;
    const timer = setTimeout(() => raw.destroy(), limits.readMs + (bytes / limits.minBytesPerSecond) * 1_000);
    const settle = () => {
      clearTimeout(timer);
      if (unread.delete(raw)) total -= bytes;
    };
    raw.once('finish', settle).once('close', settle);
    unread.set(raw, { bytes, since: performance.now() });
    total += bytes;
    for (const [slow, { since }] of unread) {
      if (total <= limits.maxUnsentBytes || performance.now() - since < limits.settledMs) break;
      slow.destroy();
    }
    return payload;
  });
}

function getLength(payload: unknown): number {
  if (typeof payload === 'string') return payload.length;
  return payload instanceof Uint8Array ? payload.length : 0;
}
