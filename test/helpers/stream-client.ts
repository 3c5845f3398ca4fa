import { setTimeout as sleep } from 'node:timers/promises';

/** An event of a stream as its client sees it. */
export interface ReceivedEvent {
  /** Name of the SSE event. */
  readonly event: string;
  readonly id: string | null;
  readonly data: Record<string, unknown>;
}

/** A stream of server-sent events that is being read. */
export interface SseClient {
  readonly status: number;
  readonly headers: Headers;
  /** Body of a refusal. */
  readonly refusal: unknown;
  /** Everything so far, with `connected` and `error`. */
  readonly received: readonly ReceivedEvent[];
  /** Events of the name `event`. */
  readonly events: readonly ReceivedEvent[];
  /** Id of the last block that had one, as an EventSource keeps it. */
  readonly lastId: string | null;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Opens a stream of server-sent events and reads it until it is closed. */
export async function openSse(
  url: string,
  subscription: unknown,
  headers: Record<string, string> = {},
): Promise<SseClient> {
  const stop = new AbortController();
  const reply = await fetch(`${url}/api/streaming/v2/sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof subscription === 'string' ? subscription : JSON.stringify(subscription),
    signal: stop.signal,
  });
  const received: ReceivedEvent[] = [];
  const state = { lastId: null as string | null };
  const isStream = reply.headers.get('content-type') === 'text/event-stream';
  const refusal: unknown = isStream ? null : await reply.json();
  const ended = isStream ? readBlocks(reply, received, state).catch(() => {}) : Promise.resolve();
  return {
    status: reply.status,
    headers: reply.headers,
    refusal,
    received,
    get events() {
      return received.filter(({ event }) => event === 'event');
    },
    get lastId() {
      return state.lastId;
    },
    ended,
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

async function readBlocks(
  reply: Response,
  received: ReceivedEvent[],
  state: { lastId: string | null },
): Promise<void> {
  let rest = '';
  for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block
          .split('\n')
          .filter((line) => !line.startsWith(':'))
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      state.lastId = fields.get('id') ?? state.lastId;
      const data = fields.get('data');
      if (data === undefined) continue;
      received.push({
        event: fields.get('event') ?? 'message',
        id: fields.get('id') ?? null,
        data: JSON.parse(data) as Record<string, unknown>,
      });
    }
  }
}

/** A WebSocket whose frames are kept. */
export interface SocketClient {
  readonly socket: WebSocket;
  readonly frames: Record<string, unknown>[];
  readonly closed: Promise<CloseEvent>;
  send(request: unknown): void;
  /** The first frame of which this is true, now or later. */
  until(find: (frame: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

/** Opens a WebSocket of the streaming API; rejects if it is refused. */
export async function openSocket(url: string, query = ''): Promise<SocketClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws${query}`);
  const frames: Record<string, unknown>[] = [];
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))));
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the socket was refused')));
  });
  return {
    socket,
    frames,
    closed,
    send: (request) => socket.send(typeof request === 'string' ? request : JSON.stringify(request)),
    until: async (find) => {
      for (;;) {
        const found = frames.find(find);
        if (found) return found;
        await sleep(10);
      }
    },
  };
}
