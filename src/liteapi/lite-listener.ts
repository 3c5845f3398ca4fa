import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { acceptHandshake, HANDSHAKE_LENGTH } from './adnl/handshake.ts';
import { type KeyPair, keyPair } from './adnl/keys.ts';
import { PacketSocket } from './adnl/packet-socket.ts';
import { LiteServerError } from './lite-errors.ts';
import {
  decodeBoxed,
  decodeRequest,
  encodeBoxed,
  type LiteRequest,
  UnknownFunctionError,
} from './schema/codec.ts';
import { TlError } from './tl/tl-error.ts';

/**
 * Answers a request with the encoded answer (`encodeBoxed` of the function's answer type). A `LiteServerError` becomes
 * the protocol's `error`; any other error becomes `error` with code 0 and is reported.
 */
export type AnswerRequest = (request: LiteRequest) => Promise<Uint8Array>;

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Seed of the server's Ed25519 key. */
  readonly seed: Uint8Array;
  readonly answer: AnswerRequest;
  /** Gets errors of the answering code. They do not end the connection. */
  readonly onError: (error: unknown, request: LiteRequest | null) => void;
  /** Requests of one connection under way at once; more wait in the socket. Default 64. */
  readonly maxPending?: number;
  /** Connections at the same time; further ones are closed at once. Default 1,024. */
  readonly maxConnections?: number;
}

/** Time until the client's first 256 bytes must be complete. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

const DEFAULT_MAX_CONNECTIONS = 1_024;
/** Largest packet of a client: messages and arguments are smaller. A stranger must not fill the memory with one. */
const MAX_REQUEST = 2 ** 20;

/** The server's end: accepts connections of lite clients and answers their requests. */
export class LiteListener {
  readonly port: number;
  readonly publicKey: Uint8Array;
  private readonly server: Server;
  private readonly sockets: ReadonlySet<Socket>;

  /** Listens. @throws an error of node:net if the port is taken */
  static async open(options: ListenOptions): Promise<LiteListener> {
    const own = keyPair(options.seed);
    const sockets = new Set<Socket>();
    const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // A client may go away at any time; `close` follows.
      socket.on('error', () => {});
      serveClient(socket, own, options);
    });
    server.maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
    server.listen(options.port, options.host);
    await once(server, 'listening');
    return new LiteListener(server, own.publicKey, sockets);
  }

  private constructor(server: Server, publicKey: Uint8Array, sockets: ReadonlySet<Socket>) {
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
    this.publicKey = publicKey;
    this.sockets = sockets;
  }

  /** Closes every connection and stops listening. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

/** Waits for the handshake, which may come in parts, and then answers packets. */
function serveClient(socket: Socket, own: KeyPair, options: ListenOptions): void {
  let hello: Buffer = Buffer.alloc(0);
  let client: Client | null = null;
  const timer = setTimeout(() => socket.destroy(), HANDSHAKE_TIMEOUT_MS);
  socket.on('close', () => clearTimeout(timer));
  socket.on('data', (chunk: Buffer) => {
    if (client) return client.packets.receive(chunk);
    hello = Buffer.concat([hello, chunk]);
    if (hello.length < HANDSHAKE_LENGTH) return;
    clearTimeout(timer);
    try {
      const streams = acceptHandshake(hello.subarray(0, HANDSHAKE_LENGTH), own);
      client = new Client(
        socket,
        (onPayload) => new PacketSocket(socket, streams, onPayload, MAX_REQUEST),
        options,
      );
    } catch (error) {
      socket.destroy(error as Error);
      return;
    }
    client.packets.send(new Uint8Array());
    if (hello.length > HANDSHAKE_LENGTH) client.packets.receive(hello.subarray(HANDSHAKE_LENGTH));
  });
}

/** One client after its handshake. */
class Client {
  readonly packets: PacketSocket;
  private readonly socket: Socket;
  private readonly options: ListenOptions;
  private pending = 0;

  constructor(
    socket: Socket,
    packets: (onPayload: (payload: Buffer) => void) => PacketSocket,
    options: ListenOptions,
  ) {
    this.socket = socket;
    this.options = options;
    this.packets = packets((payload) => this.take(payload));
    socket.on('drain', () => this.paceReading());
  }

  private take(payload: Buffer): void {
    if (payload.length === 0) return;
    const message = readMessage(payload);
    if (message?.type === 'tcp.ping') this.packets.send(encodeBoxed('tcp.pong', message.value));
    // Some clients wait for the nonce before their first request. Nothing is checked: every client is served.
    else if (message?.type === 'tcp.authentificate')
      this.packets.send(encodeBoxed('tcp.authentificationNonce', { nonce: randomBytes(32) }));
    else if (message?.type === 'adnl.message.query')
      void this.answer(Buffer.from(message.value.query_id), message.value.query);
  }

  private async answer(id: Uint8Array, query: Uint8Array): Promise<void> {
    this.pending++;
    this.paceReading();
    const answer = await answerQuery(query, this.options);
    this.pending--;
    try {
      this.packets.send(encodeBoxed('adnl.message.answer', { query_id: id, answer }));
    } catch (error) {
      // The answer is too large for a packet.
      this.options.onError(error, null);
      const text = encodeBoxed('error', { code: 0, message: (error as Error).message });
      this.packets.send(encodeBoxed('adnl.message.answer', { query_id: id, answer: text }));
    }
    this.paceReading();
  }

  /** Reads on only while few requests are open and the client takes its answers. */
  private paceReading(): void {
    const isBusy = this.pending >= (this.options.maxPending ?? 64) || this.socket.writableNeedDrain;
    if (isBusy) this.socket.pause();
    else this.socket.resume();
  }
}

async function answerQuery(query: Uint8Array, { answer, onError }: ListenOptions): Promise<Uint8Array> {
  let request: LiteRequest | null = null;
  try {
    request = decodeRequest(query);
    return await answer(request);
  } catch (error) {
    if (error instanceof LiteServerError)
      return encodeBoxed('error', { code: error.code, message: error.text });
    if (!(error instanceof TlError || error instanceof UnknownFunctionError)) onError(error, request);
    return encodeBoxed('error', { code: 0, message: (error as Error).message });
  }
}

/** Null for messages that this server does not know, such as `tcp.authentificationComplete`: they are ignored. */
function readMessage(payload: Buffer): ReturnType<typeof decodeBoxed> | null {
  try {
    return decodeBoxed(payload);
  } catch {
    return null;
  }
}
