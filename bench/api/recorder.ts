import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type HttpCall, HttpSender } from './http-sender.ts';

/** Headers that belong to a connection and not to the statement. */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

/** A pass between the API and the store that keeps a copy of every statement that a route of the API sends. */
export interface Recorder {
  readonly url: string;
  /** The statements since the last call. */
  take(): HttpCall[];
  close(): Promise<void>;
}

export async function startRecorder(storeUrl: string): Promise<Recorder> {
  const sender = new HttpSender(storeUrl, 64);
  let calls: HttpCall[] = [];
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const call = await readCall(incoming);
    if (isOfRoute(call.path)) calls.push(withoutQueryId(call));
    const { status, headers, body } = await sender.call(call);
    const passed = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
    outgoing.writeHead(status, Object.fromEntries(passed)).end(body);
  };
  // Background work of the API may be running at the close: its connection shows the end.
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: async () => {
      sender.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readCall(incoming: IncomingMessage): Promise<HttpCall> {
  const body = await buffer(incoming);
  return {
    method: incoming.method === 'POST' ? 'POST' : 'GET',
    path: incoming.url ?? '/',
    headers: getHeaders(incoming.headers),
    body: body.length > 0 ? body : null,
  };
}

function getHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const sent = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
}

/** log_comment contains the route; background work (the watermark) belongs to no answer. */
function isOfRoute(path: string): boolean {
  return /^v[23]\//.test(new URL(path, 'http://store').searchParams.get('log_comment') ?? '');
}

/** The same statement may run several times at once. */
function withoutQueryId(call: HttpCall): HttpCall {
  const url = new URL(call.path, 'http://store');
  url.searchParams.delete('query_id');
  return { ...call, path: `${url.pathname}${url.search}` };
}
