import type { Operations } from './operations.ts';

/** Input of an operation: parameters of its query, or its body. */
export type Sent<K extends keyof Operations> = Operations[K] extends { readonly query: infer Q }
  ? Q
  : Operations[K] extends { readonly body: infer B }
    ? B
    : never;

/** An answer that is not 200. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** Calls one operation; both sides have the types of the OpenAPI document. @throws ApiError */
export type ApiClient = <K extends keyof Operations & string>(
  operation: K,
  sent: Sent<K>,
) => Promise<Operations[K]['answer']>;

/** A client of the server at an address, typed by the OpenAPI documents. */
export function apiClient(url: string): ApiClient {
  return async (operation, given) => {
    const sent = given as object;
    const [method = '', path = ''] = operation.split(' ');
    const reply = await fetch(
      `${url}${path}${method === 'GET' ? queryOf(sent) : ''}`,
      method === 'GET'
        ? {}
        : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) },
    );
    const body: unknown = await reply.json();
    if (reply.status !== 200) throw new ApiError(reply.status, body);
    return body as never;
  };
}

/** The complete form of a row that may have few fields, for a request without `fields`. */
export type WholeRow<Row> = Row extends unknown ? (Partial<Row> extends Row ? never : Row) : never;

/** The rows of an answer to a request without `fields`. */
export function wholeRows<Row>(rows: readonly Row[]): readonly WholeRow<Row>[] {
  return rows as readonly WholeRow<Row>[];
}

/** Lists are repeated, as the documents describe them. */
export function queryOf(sent: object): string {
  const pairs = Object.entries(sent).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
