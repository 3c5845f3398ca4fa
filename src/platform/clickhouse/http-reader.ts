import { randomBytes } from 'node:crypto';
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { DataError, UnavailableError } from '../errors/error-kinds.ts';
import { credentials, type QueryParams, type Settings, type StoreClientOptions } from './client-options.ts';
import { inlineIntegers, parameterText } from './statement-parameters.ts';

/** A reading statement, its parameters and the settings that it runs under. */
export interface ReadRequest {
  readonly sql: string;
  readonly queryId: string;
  readonly params: QueryParams | undefined;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** The server's answer to a statement that failed: its code from the header, its text from the body. */
export class RefusedStatement extends DataError {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

/** A longer address goes over in the body: servers and what is before them bound addresses. */
const MAX_ADDRESS_LENGTH = 8_192;

/**
 * Reads from the store with the least work per statement (docs/decisions/0010-reading-http.md): kept connections, the
 * statement in one body, the answer as bytes. A connection that the server closed while idle is only detected by using
 * it. So a request that fails on a used connection before any answer is sent once more; it only reads.
 */
export class HttpReader {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: Agent;

  constructor(options: StoreClientOptions) {
    this.#url = new URL(options.url);
    this.#headers = {
      ...credentials(options),
      'user-agent': options.application ?? 'tonhouse',
    };
    const agentOptions = { keepAlive: true, maxSockets: options.maxConnections ?? 64, noDelay: true };
    this.#agent = this.#url.protocol === 'https:' ? new TlsAgent(agentOptions) : new Agent(agentOptions);
  }

  /** The body of the answer. @throws RefusedStatement, or the connection's error */
  read(read: ReadRequest): Promise<Buffer> {
    return this.#ask(read, collect);
  }

  /**
   * The answer as it arrives. The caller reads or destroys it: until then, it holds a connection.
   * @throws RefusedStatement, or the connection's error
   */
  stream(read: ReadRequest): Promise<IncomingMessage> {
    return this.#ask(read, take);
  }

  async #ask<T>(read: ReadRequest, receive: Receive<T>): Promise<T> {
    try {
      return await this.#send(this.#wire(read), read.signal, receive);
    } catch (error) {
      if (!(error instanceof StaleConnection) || read.signal.aborted) throw error;
      // The server refuses a second statement with an id while the first one runs.
      const again = { ...read, queryId: `${read.queryId}${AGAIN}` };
      return await this.#send(this.#wire(again), read.signal, receive);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #wire({ queryId, settings, ...read }: ReadRequest): Wire {
    const { sql, params } = inlineIntegers(read.sql, read.params ?? {});
    const address = new URLSearchParams({ query_id: queryId });
    for (const [name, value] of Object.entries(settings)) address.set(name, settingText(value));
    const values = Object.entries(params).map(
      ([name, value]) => [`param_${name}`, parameterText(value)] as const,
    );
    const length = values.reduce((sum, [name, text]) => sum + name.length + text.length, 0);
    if (length > MAX_ADDRESS_LENGTH) return form(address, [...values, ['query', sql]]);
    for (const [name, text] of values) address.set(name, text);
    return { path: `?${address}`, type: 'text/plain; charset=utf-8', body: sql };
  }

  #send<T>(wire: Wire, signal: AbortSignal, receive: Receive<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const start = this.#url.protocol === 'https:' ? tlsRequest : request;
    let answered = false;
    const sent: ClientRequest = start(
      {
        agent: this.#agent,
        host: this.#url.hostname,
        port: this.#url.port,
        path: `${this.#url.pathname}${wire.path}`,
        method: 'POST',
        headers: {
          ...this.#headers,
          'content-type': wire.type,
          'content-length': Buffer.byteLength(wire.body),
        },
        signal,
      },
      (answer) => {
        answered = true;
        receive(answer, resolve, reject);
      },
    );
    sent.on('error', (error) => {
      reject(sent.reusedSocket && !answered && isReset(error) ? new StaleConnection(error) : error);
    });
    sent.end(wire.body);
    return promise;
  }
}

/** Follows the id of a statement that is sent again: it keeps the prefix by which statements are ended. */
const AGAIN = '-again';

type Receive<T> = (
  answer: IncomingMessage,
  resolve: (value: T) => void,
  reject: (error: Error) => void,
) => void;

interface Wire {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** The server closed a used connection without an answer: mostly before it saw the request, rarely after it began. */
class StaleConnection extends UnavailableError {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function settingText(value: Settings[string]): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : `${value}`;
}

/** Statement and parameters as the fields of a form, for which the server has no bound but its own setting. */
function form(address: URLSearchParams, fields: readonly (readonly [string, string])[]): Wire {
  const border = `tonhouse-${randomBytes(16).toString('hex')}`;
  const parts = fields.map(
    ([name, text]) => `--${border}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return {
    path: `?${address}`,
    type: `multipart/form-data; boundary=${border}`,
    body: `${parts.join('')}--${border}--\r\n`,
  };
}

function collect(
  answer: IncomingMessage,
  resolve: (body: Buffer) => void,
  reject: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('error', reject);
  answer.on('end', () => {
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const code = exceptionCode(answer.headers);
    if (answer.statusCode === 200 && code === null) resolve(body);
    else reject(new RefusedStatement(code ?? 0, body.toString().trim() || `HTTP ${answer.statusCode}`));
  });
}

/** Passes the answer on; a refusal is read to its end. */
function take(
  answer: IncomingMessage,
  resolve: (answer: IncomingMessage) => void,
  reject: (error: Error) => void,
): void {
  if (answer.statusCode === 200 && exceptionCode(answer.headers) === null) resolve(answer);
  else collect(answer, () => reject(new RefusedStatement(0, `HTTP ${answer.statusCode}`)), reject);
}

function exceptionCode(headers: IncomingHttpHeaders): number | null {
  const code = headers['x-clickhouse-exception-code'];
  return code === undefined ? null : Number(code);
}
