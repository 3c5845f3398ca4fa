import { type Agent, request } from 'node:http';

/** One request of a client. */
export interface Call {
  readonly method?: string;
  /** From the slash, as sent. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The address of this machine that the client speaks from; default: the route's. */
  readonly from?: string | undefined;
  /** The client gives up after so long. Default 60,000. */
  readonly timeoutMs?: number;
  /** The client leaves when this many bytes of the answer have come; default: it takes all. */
  readonly leaveAfterBytes?: number;
  /** The client leaves so long after it asked. */
  readonly leaveAfterMs?: number;
}

/** How a call ended: with an answer, because the client left, or without one. */
export interface Outcome {
  /** 0 without a complete answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly bytes: number;
  readonly ms: number;
  /** `left` by the client's own will, `late` after its time limit, else the code of the connection's error. */
  readonly failure: string | null;
}

/** The place of a server, and the address of this machine that the client speaks from. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly from?: string;
  readonly agent?: Agent;
}

const TIME_LIMIT_MS = 60_000;
const KEPT_TEXT = 8 * 1024 * 1024;

/** Asks, and never throws: a failure is part of the outcome. */
export function callHttp(route: Route, call: Call): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const from = call.from ?? route.from;
  const begun = performance.now();
  let response = { status: 0, headers: {} as Outcome['headers'] };
  const parts: Buffer[] = [];
  let bytes = 0;
  const timers: NodeJS.Timeout[] = [];
  const end = (failure: string | null) => {
    timers.forEach(clearTimeout);
    const text = Buffer.concat(parts).subarray(0, KEPT_TEXT).toString('utf8');
    const status = failure === null ? response.status : 0;
    resolve({ ...response, status, text, bytes, ms: performance.now() - begun, failure });
  };
  const asked = request({
    host: route.host,
    port: route.port,
    ...(from !== undefined && { localAddress: from }),
    agent: route.agent ?? false,
    method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
    path: call.path,
    headers: {
      ...(call.body !== undefined && { 'content-length': String(Buffer.byteLength(call.body)) }),
      ...call.headers,
    },
  });
  const leave = (failure: string) => {
    end(failure);
    asked.destroy();
  };
  timers.push(setTimeout(leave, call.timeoutMs ?? TIME_LIMIT_MS, 'late'));
  if (call.leaveAfterMs !== undefined) timers.push(setTimeout(leave, call.leaveAfterMs, 'left'));
  asked.on('error', (error) => end((error as NodeJS.ErrnoException).code ?? error.name));
  asked.on('response', (incoming) => {
    response = { status: incoming.statusCode ?? 0, headers: incoming.headers };
    incoming.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= KEPT_TEXT) parts.push(part);
      if (call.leaveAfterBytes !== undefined && bytes >= call.leaveAfterBytes) leave('left');
    });
    incoming.on('end', () => end(null));
    incoming.on('error', (error) => end((error as NodeJS.ErrnoException).code ?? error.name));
  });
  asked.end(call.body);
  return promise;
}

/** A POST of JSON. */
export function jsonCall(path: string, body: unknown): Call {
  return { path, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
