import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { startHandshake } from './adnl/handshake.ts';
import { PacketSocket } from './adnl/packet-socket.ts';
import { randomInto } from './adnl/random-into.ts';
import {
  AnswerTimeoutError,
  ConnectionClosedError,
  LiteServerError,
  UnknownAnswerError,
} from './lite-errors.ts';
import { decodeBoxed, encodeBoxed, encodeRequest, type WaitPrefix } from './schema/codec.ts';
import { FUNCTIONS } from './schema/functions.ts';
import type { FunctionName, TlAnswer, TlParameters } from './schema/values.ts';

/** A lite server: where it listens, and the Ed25519 public key that it must have. */
export interface LiteAddress {
  readonly host: string;
  readonly port: number;
  readonly key: Uint8Array;
}

export interface ConnectOptions {
  /** Limit of the time until the server's first packet. Default 5 s. */
  readonly timeoutMs?: number;
  /** Interval of pings; a connection without any packet after two of them is closed. Default 5 s. */
  readonly pingMs?: number;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly wait?: WaitPrefix | null;
}

interface Pending {
  readonly name: FunctionName;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The client's end of a connection to a lite server. Answers may come in any order. */
export class LiteConnection {
  /** Settles when the connection is closed, with the reason. */
  readonly closed: Promise<Error>;
  /** Answers without a request: they came too late, or have an unknown id. */
  lateAnswers = 0;
  private readonly server: string;
  private readonly socket: Socket;
  private readonly packets: PacketSocket;
  private readonly pending = new Map<string, Pending>();
  private readonly pings: NodeJS.Timeout;
  private readonly ready = Promise.withResolvers<void>();
  private readonly end = Promise.withResolvers<Error>();
  private reason: Error | null = null;
  /** Pings since the last packet. Counted, not timed: a busy process must not close a living connection. */
  private unanswered = 0;

  /**
   * Connects and waits until the server has accepted the handshake.
   * @throws ConnectionClosedError; a server of another key closes without an answer
   */
  static async open(address: LiteAddress, options: ConnectOptions = {}): Promise<LiteConnection> {
    const { timeoutMs = 5_000, pingMs = 5_000 } = options;
    const connection = new LiteConnection(address, pingMs);
    const timer = setTimeout(
      () => connection.close(`no answer to the handshake within ${timeoutMs} ms`),
      timeoutMs,
    );
    try {
      await connection.ready.promise;
      return connection;
    } finally {
      clearTimeout(timer);
    }
  }

  private constructor({ host, port, key }: LiteAddress, pingMs: number) {
    this.server = `${host}:${port}`;
    this.closed = this.end.promise;
    this.ready.promise.catch(() => {});
    const { hello, streams } = startHandshake(key);
    this.socket = connect({ host, port, noDelay: true }, () => this.socket.write(hello));
    this.packets = new PacketSocket(this.socket, streams, (payload) => this.take(payload));
    this.socket.on('data', (chunk: Buffer) => this.packets.receive(chunk));
    this.socket.on('error', (error) => this.finish(error.message, error));
    this.socket.on('close', () => this.finish('closed by the server'));
    this.pings = setInterval(() => this.ping(), pingMs);
    this.pings.unref();
  }

  /**
   * Sends a request and returns the answer's fields.
   * @throws LiteServerError, AnswerTimeoutError, UnknownAnswerError, ConnectionClosedError, TlError
   */
  request<F extends FunctionName>(
    name: F,
    parameters: TlParameters<F>,
    { timeoutMs, wait = null }: RequestOptions,
  ): Promise<TlAnswer<F>> {
    const id = new Uint8Array(32);
    randomInto(id, 0, id.length);
    const query = encodeRequest(name, parameters, wait);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.reason) return Promise.reject(this.reason);
    const key = toKey(id);
    const timer = setTimeout(() => {
      this.pending.delete(key);
      reject(new AnswerTimeoutError(`${name} by ${this.server}`, timeoutMs));
    }, timeoutMs);
    this.pending.set(key, { name, timer, resolve, reject });
    this.packets.send(encodeBoxed('adnl.message.query', { query_id: id, query }));
    return promise as Promise<TlAnswer<F>>;
  }

  /** Closes the connection; open requests fail. */
  close(reason = 'closed by this client'): void {
    this.finish(reason);
    this.socket.destroy();
  }

  private take(payload: Buffer): void {
    this.unanswered = 0;
    // The first packet is the server's consent to the handshake; it has no payload.
    this.ready.resolve();
    if (payload.length === 0) return;
    const message = readMessage(payload);
    if (message?.type !== 'adnl.message.answer') return;
    const { query_id, answer } = message.value;
    const key = toKey(query_id);
    const pending = this.pending.get(key);
    if (!pending) {
      this.lateAnswers++;
      return;
    }
    this.pending.delete(key);
    clearTimeout(pending.timer);
    this.settle(pending, answer);
  }

  private settle({ name, resolve, reject }: Pending, bytes: Uint8Array): void {
    const request = `${name} by ${this.server}`;
    try {
      const { type, value } = decodeBoxed(bytes);
      if (type === 'error') reject(new LiteServerError(value.code, value.message));
      else if (type === FUNCTIONS[name].answer) resolve(value);
      else reject(new UnknownAnswerError(request, type));
    } catch (cause) {
      reject(new UnknownAnswerError(request, (cause as Error).message, { cause }));
    }
  }

  private ping(): void {
    if (this.unanswered === 2) {
      this.close('no answer to two pings');
      return;
    }
    this.unanswered++;
    this.packets.send(encodeBoxed('tcp.ping', { random_id: randomBytes(8).readBigInt64LE() }));
  }

  private finish(reason: string, cause?: Error): void {
    if (this.reason) return;
    this.reason = new ConnectionClosedError(this.server, reason, cause && { cause });
    clearInterval(this.pings);
    this.ready.reject(this.reason);
    for (const { timer, reject } of this.pending.values()) {
      clearTimeout(timer);
      reject(this.reason);
    }
    this.pending.clear();
    this.end.resolve(this.reason);
  }
}

/** Key of a request by its id. */
function toKey(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.length).toString('latin1');
}

/** Null for messages that this client does not know: they are ignored. */
function readMessage(payload: Buffer): ReturnType<typeof decodeBoxed> | null {
  try {
    return decodeBoxed(payload);
  } catch {
    return null;
  }
}
