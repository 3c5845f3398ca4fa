import { PLAIN_BODY_BYTES } from '../../src/api/http/body-limits.ts';
import { serverWithoutIndex } from './server-without-index.ts';

/** A schema of a route's input or output, limited to its bounds. */
export interface BoundedSchema {
  readonly type?: string;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, BoundedSchema>>;
  readonly examples?: readonly unknown[];
}

/** A route of the server, and what bounds a request of it. */
export interface ServerRoute {
  readonly method: 'GET' | 'POST';
  /** The whole path. */
  readonly url: string;
  /** Bytes of its body; 0: it takes none. */
  readonly bodyBytes: number;
  /** Its parameters, in the query or in the body. */
  readonly parameters: Readonly<Record<string, BoundedSchema>>;
  /** The parameters of its example request; empty if it has none. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Every route of a server, without HEAD for GET. */
export async function serverRoutes(): Promise<readonly ServerRoute[]> {
  const routes: ServerRoute[] = [];
  const app = await serverWithoutIndex({
    onRoute: ({ method: verb, url, bodyLimit, schema }) => {
      const method = (['GET', 'POST'] as const).find((one) => one === verb);
      if (method === undefined) return;
      const { querystring, body } = (schema ?? {}) as Readonly<Record<string, BoundedSchema | undefined>>;
      const bodyBytes = method === 'GET' ? 0 : (bodyLimit ?? PLAIN_BODY_BYTES);
      const parameters = (method === 'GET' ? querystring : body)?.properties ?? {};
      const example = method === 'GET' ? getExample(parameters) : body?.examples?.[0];
      routes.push({ method, url, bodyBytes, parameters, example: Object(example) });
    },
  });
  await app.close();
  return routes;
}

/** Values of the parameters that have one. */
function getExample(parameters: ServerRoute['parameters']): ServerRoute['example'] {
  const given = Object.entries(parameters).filter(([, { examples }]) => examples !== undefined);
  return Object.fromEntries(given.map(([name, { examples }]) => [name, examples?.[0]]));
}
