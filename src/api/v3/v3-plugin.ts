import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Caller } from '../caller.ts';
import { CELLS_BODY_BYTES } from '../http/body-limits.ts';
import { requireSender, withCaller } from '../http/caller.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { jsonBytes } from '../http/json-bytes.ts';
import { loggedPath } from '../http/logged-path.ts';
import { notFound } from '../http/not-found.ts';
import { addOpenApi } from '../http/openapi.ts';
import { readQueryString } from '../http/query-string.ts';
import { ResponseCache } from '../http/response-cache.ts';
import { responseKey } from '../http/response-key.ts';
import { rangeName } from '../read/answer-caches.ts';
import { openScope, scopeFor } from '../read/read-scope.ts';
import type { ServeContext } from '../serve-context.ts';
import type { Endpoint, Switches } from './endpoint.ts';
import type { Parameters, ParameterValues } from './params/parameter.ts';
import { readParameters } from './params/read-parameters.ts';
import type { PostEndpoint } from './post-endpoint.ts';
import { querystringSchema } from './querystring-schema.ts';
import { readBody, takeBodiesAsText } from './read-body.ts';
import { ENDPOINTS, POST_ENDPOINTS } from './routes/endpoints.ts';
import { ErrorSchema } from './schemas/common.ts';
import { readSwitches } from './switches.ts';

/** The release of the real server whose contract this is; sent as X-API-Version. */
export const V3_API_VERSION = '1.2.6';

const LONG_TEXT = 4096;

/** The v3 API; registered with prefix /api/v3. */
export const v3Plugin: FastifyPluginAsync<{ readonly context: ServeContext }> = async (app, { context }) => {
  // Parameters are read by read-parameters.ts; schemas are documentation. V8's own JSON is the fastest for answers of
  // this shape (measured, a page of 100 transactions: 0.3 ms against 2.6 ms of fast-json-stringify).
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler((error, request, reply) => {
    const { status, body, logged, retryAfter } = errorAnswer(error);
    if (logged) context.log.error({ error, url: loggedPath(request.url) }, 'a request failed');
    if (retryAfter !== null) reply.header('Retry-After', retryAfter);
    reply.code(status).send(body);
  });
  app.setNotFoundHandler(notFound(app));
  takeBodiesAsText(app);
  addAnswerHeaders(app);
  await addOpenApi(app, {
    title: 'tonhouse v3',
    description: 'Indexed access to TON, compatible with TON Center v3.',
    version: V3_API_VERSION,
  });
  const cache = new ResponseCache({ maxBytes: context.settings.responseCacheBytes });
  for (const endpoint of ENDPOINTS) addEndpoint(app, context, cache, endpoint);
  for (const endpoint of POST_ENDPOINTS) addPostEndpoint(app, context, endpoint);
};

function addEndpoint(
  app: FastifyInstance,
  context: ServeContext,
  cache: ResponseCache,
  endpoint: Endpoint,
): void {
  const schema = {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    querystring: querystringSchema(endpoint.parameters),
    response: {
      200: { description: 'success', ...endpoint.answer },
      default: { description: 'failure', ...ErrorSchema },
    },
  };
  const { cors } = context.settings;
  app.get(endpoint.path, { schema }, async (request, reply) => {
    const sent = readQueryString(request.url);
    const values = readParameters(endpoint.parameters, sent);
    const switches = readSwitches(request.headers, sent, context.settings);
    const asked = { values, switches };
    const body = await withCaller(request, reply, { timeoutMs: switches.timeoutMs, cors }, (caller) =>
      answer(context, cache, endpoint, asked, caller),
    );
    if (Buffer.isBuffer(body)) reply.type('application/json; charset=utf-8');
    return body;
  });
}

function addPostEndpoint(app: FastifyInstance, context: ServeContext, endpoint: PostEndpoint): void {
  const schema = {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    body: endpoint.body,
    response: {
      200: { description: 'success', ...endpoint.answer },
      default: { description: 'failure', ...ErrorSchema },
    },
  };
  const { queryTimeoutMs, cors } = context.settings;
  app.post(endpoint.path, { schema, bodyLimit: CELLS_BODY_BYTES }, (request, reply) =>
    withCaller(request, reply, { timeoutMs: queryTimeoutMs, cors }, async (caller) => {
      if (endpoint.sends) requireSender(caller);
      const scope = openScope(context, { route: `v3${endpoint.path}`, caller });
      return endpoint.handle(context, scope, readBody(request), caller);
    }),
  );
}

/** A request of a GET route, read. */
interface Asked {
  readonly values: ParameterValues<Parameters>;
  readonly switches: Switches;
}

async function answer(
  context: ServeContext,
  cache: ResponseCache,
  endpoint: Endpoint,
  { values, switches }: Asked,
  caller: Caller,
): Promise<unknown> {
  const scope = openScope(context, { route: `v3${endpoint.path}`, caller });
  const asked = { settings: context.settings, switches, testnet: context.network.testnet };
  if (!scope) return endpoint.empty(values, asked);
  if (!endpoint.cached) return endpoint.handle(scope, values, asked);
  const { addressBook, metadata } = switches;
  const key = responseKey(endpoint.path, values, { addressBook, metadata });
  return cache.body(`${scope.database} ${rangeName(scope.visible)}`, key, caller, async (shared) =>
    jsonBytes(await endpoint.handle(scopeFor(scope, shared), values, asked)),
  );
}

/** Server-timing and X-API-Version, as the real server sends them. */
function addAnswerHeaders(app: FastifyInstance): void {
  const started = new WeakMap<object, number>();
  app.addHook('onRequest', async (request) => {
    started.set(request, performance.now());
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const milliseconds = performance.now() - (started.get(request) ?? performance.now());
    reply.header('Server-timing', `app;dur=${milliseconds.toFixed(3)}ms`);
    reply.header('X-API-Version', V3_API_VERSION);
    // Node writes a long text much slower than its bytes.
    return typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload;
  });
}
