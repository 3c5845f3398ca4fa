import type { Operations } from './operations.ts';

export type { Operations } from './operations.ts';

/** Operations by method and path, such as `GET /api/v3/transactions`. */
export type Operation = keyof Operations & string;

/** Input of an operation: parameters of its query, or its body. */
export type Sent<K extends Operation> = Operations[K] extends { readonly query: infer Q }
  ? Q
  : Operations[K] extends { readonly body: infer B }
    ? B
    : never;

/** Answer of an operation with status 200. */
export type Answer<K extends Operation> = Operations[K]['answer'];

/** Operations that list rows by cursors. */
export type PagedOperation = {
  readonly [K in Operation]: Operations[K] extends { readonly query: { readonly cursor?: string } }
    ? K
    : never;
}[Operation];

/** An answer that is not 200. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The JSON of the answer, or its text if it is none. */
  readonly body: unknown;
  /** Seconds after which the server accepts the next request; null if it named no time. */
  readonly retryAfter: number | null;

  constructor(status: number, body: unknown, retryAfter: number | null) {
    super(`${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export interface ClientOptions {
  /** Sent as `X-API-Key`. */
  readonly apiKey?: string;
  /** Ends requests. */
  readonly signal?: AbortSignal;
}

/** A client of the API. */
export interface Client {
  /** Calls an operation. Both sides have the types of the OpenAPI documents. @throws ApiError */
  call<K extends Operation>(operation: K, sent: Sent<K>): Promise<Answer<K>>;
  /** The pages of a list from its first row on, by cursors. @throws ApiError */
  pages<K extends PagedOperation>(operation: K, sent: Sent<K>): AsyncGenerator<Answer<K>>;
}

/** Returns a client of the server at an address, such as `http://127.0.0.1:8080`. Any server of the TON Center API will do. */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const base = url.replace(/\/+$/, '');
  const call: Client['call'] = (operation, sent) => request(base, operation, sent as object, options);
  return {
    call,
    async *pages(operation, sent) {
      let cursor: string | null | undefined = '';
      do {
        const answer: Answer<typeof operation> = await call(operation, {
          ...(sent as object),
          cursor,
        } as never);
        yield answer;
        cursor = (answer as { readonly next_cursor?: string | null }).next_cursor;
      } while (cursor !== undefined && cursor !== null);
    },
  };
}

async function request(base: string, operation: string, sent: object, { apiKey, signal }: ClientOptions) {
  const [method = '', path = ''] = operation.split(' ');
  const isGet = method === 'GET';
  const reply = await fetch(`${base}${path}${isGet ? toQuery(sent) : ''}`, {
    method,
    headers: {
      ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
      ...(isGet ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(isGet ? {} : { body: JSON.stringify(sent) }),
    ...(signal && { signal }),
  });
  const text = await reply.text();
  const body = parseJson(text);
  if (reply.status === 200 && body !== undefined) return body as never;
  const wait = Number(reply.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(reply.status, body ?? text, Number.isFinite(wait) ? wait : null);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The complete form of a row that may have few fields, for a request without `fields`. */
export type WholeRow<Row> = Row extends unknown ? (Partial<Row> extends Row ? never : Row) : never;

/** The rows of an answer to a request without `fields`. */
export function wholeRows<Row>(rows: readonly Row[]): readonly WholeRow<Row>[] {
  return rows as readonly WholeRow<Row>[];
}

/** Query of an operation with its `?`. Lists are repeated, as the documents describe them. Values that are undefined are left out. */
export function toQuery(sent: object): string {
  const pairs = Object.entries(sent).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
