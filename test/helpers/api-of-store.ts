import type { FastifyInstance } from 'fastify';
import { buildServer } from '../../src/api/serve-stage.ts';
import { type IndexedStore, type IndexedStoreOptions, openIndexedStore } from './indexed-store.ts';

/** An answer as a client sees it. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

/** Both APIs over a store of real blocks. */
export interface ApiOfStore {
  readonly app: FastifyInstance;
  readonly store: IndexedStore;
  /** GET of a path; parameters are encoded, a list is repeated. */
  get(path: string, parameters?: ApiParameters): Promise<ApiReply>;
  close(): Promise<void>;
}

export type ApiParameters = Readonly<
  Record<string, string | number | bigint | boolean | readonly string[] | undefined>
>;

export async function openApi(options: IndexedStoreOptions): Promise<ApiOfStore> {
  const store = await openIndexedStore(options);
  const app = await buildServer(store.context);
  return {
    app,
    store,
    get: (path, parameters = {}) => get(app, `${path}${queryText(parameters)}`),
    close: async () => {
      await app.close();
      await store.close();
    },
  };
}

async function get(app: FastifyInstance, url: string): Promise<ApiReply> {
  const reply = await app.inject({ method: 'GET', url });
  const isJson = String(reply.headers['content-type']).startsWith('application/json');
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: reply.body,
    json: isJson ? (JSON.parse(reply.body) as unknown) : undefined,
  };
}

function queryText(parameters: ApiParameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
