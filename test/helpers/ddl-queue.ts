import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Replacement for a cluster's servers, at one address. */
export interface DdlQueue {
  readonly url: string;
  /** Statements that went to every server, as they were sent. */
  readonly everywhere: readonly string[];
  stop(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** Place of the queue, and of the server that it belongs to. */
interface DdlQueuePlace {
  /** Server of all other requests. Default: each in turn. */
  readonly own?: string;
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** Parameters of statements travel in the address; a server of ClickHouse takes as much (`http_max_uri_size`). */
const LONGEST_HEADER = 1 << 20;

const ON_CLUSTER = / ON CLUSTER '\w+'/;

/**
 * A proxy for servers without Keeper that does what Keeper does for a real cluster: a statement `ON CLUSTER` runs on
 * each server, and `Replicated…MergeTree` becomes the plain engine. Every other request goes to its own server, or to
 * the servers in turn, unread.
 */
export async function startDdlQueue(
  urls: readonly string[],
  { own, host = '127.0.0.1', port: wanted = 0 }: DdlQueuePlace = {},
): Promise<DdlQueue> {
  const everywhere: string[] = [];
  let turn = 0;
  const answer = async (incoming: IncomingMessage): Promise<Reply> => {
    const body = await buffer(incoming);
    const text = body.length < 65_536 ? body.toString() : '';
    if (!ON_CLUSTER.test(text)) return send(own ?? urls[turn++ % urls.length] ?? '', incoming, body);
    everywhere.push(text);
    const alone = text.replace(ON_CLUSTER, '').replace(/ENGINE = Replicated/, 'ENGINE = ');
    const replies = await Promise.all(urls.map((url) => send(url, incoming, Buffer.from(alone))));
    return replies.find(({ status }) => status !== 200) ?? (replies[0] as Reply);
  };
  const server = createServer({ maxHeaderSize: LONGEST_HEADER }, (incoming, outgoing) => {
    answer(incoming).then(
      (reply) => write(outgoing, reply),
      () => outgoing.destroy(),
    );
  }).listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    everywhere,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function send(url: string, incoming: IncomingMessage, body: Buffer): Promise<Reply> {
  const {
    host: _host,
    'content-length': _length,
    'transfer-encoding': _coding,
    ...headers
  } = incoming.headers;
  const asked = request(new URL(incoming.url ?? '/', url), {
    method: incoming.method ?? 'GET',
    headers: { ...headers, 'content-length': body.length },
  });
  asked.end(body);
  const [answered] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answered.statusCode ?? 500, headers: answered.headers, body: await buffer(answered) };
}

function write(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  const { 'transfer-encoding': _coding, 'content-length': _length, connection: _kept, ...rest } = headers;
  outgoing.writeHead(status, { ...rest, 'content-length': body.length });
  outgoing.end(body);
}
