import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { withBodyExample, withExamples } from '../example-values.ts';
import { CELLS_BODY_BYTES } from '../http/body-limits.ts';
import { ResponseCache } from '../http/caching/response-cache.ts';
import { responseKey } from '../http/caching/response-key.ts';
import { requireSender, withCaller } from '../http/caller.ts';
import { jsonBytes } from '../http/json-bytes.ts';
import { readQueryString } from '../http/query-string.ts';
import { setIgnoredHeader } from '../http/strict.ts';
import type { Parameters, ParameterValues } from '../parameters/parameter.ts';
import { getNames } from '../parameters/unknown-parameters.ts';
import { isLarge, makeInTurn } from '../query/large-answers.ts';
import { openScope, type ReadScope, scopeFor, tryOpenScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';
import { type ProjectionName, ProjectionUnavailableError } from '../version-vector.ts';
import type { Endpoint, Switches } from './endpoint.ts';
import { BODY_EXAMPLES, QUERY_EXAMPLES } from './examples.ts';
import { describedAnswer, type SelectedFields, selectedFields, selectFields } from './fields.ts';
import { isFinished } from './finished.ts';
import { ignoredNames, sentBy } from './ignored-names.ts';
import { PAGING, type PagingValues, toPage } from './parameters/paging.ts';
import { readParameters } from './parameters/read-parameters.ts';
import type { PostEndpoint } from './post-endpoint.ts';
import { prepareApi } from './prepare-api.ts';
import { querystringSchema } from './querystring-schema.ts';
import { type BodyFields, readPosted } from './read-body.ts';
import { ENDPOINTS, POST_ENDPOINTS } from './routes/endpoints.ts';
import { ErrorSchema } from './schemas/common.ts';
import { readSwitches } from './switches.ts';

/** The v3 API; registered with prefix /api/v3. */
export const v3Plugin: FastifyPluginAsync<{ readonly context: ServeContext }> = async (app, { context }) => {
  await prepareApi(app, context, {
    title: 'tonhouse v3',
    description: 'Indexed access to TON, compatible with TON Center v3.',
  });
  const cache = new ResponseCache({
    maxBytes: context.settings.responseCacheMb * 1024 * 1024,
    metrics: context.metrics,
  });
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
    querystring: withExamples(querystringSchema(endpoint.parameters), QUERY_EXAMPLES[endpoint.path] ?? {}),
    response: {
      200: { description: 'success', ...describedAnswer(endpoint) },
      default: { description: 'failure', ...ErrorSchema },
    },
  };
  const { cors } = context.settings;
  const known = getNames(endpoint.parameters);
  app.get(endpoint.path, { schema }, async (request, reply) => {
    const sent = readQueryString(request.url);
    setIgnoredHeader(reply, ignoredNames(request, context.settings, sent, known));
    const values = readParameters(endpoint.parameters, sent);
    const switches = readSwitches(request.headers, sent, context.settings);
    const fields = selectedFields(endpoint, values);
    endpoint.check?.(values);
    // A list with another limit checks its page itself.
    if (endpoint.parameters.limit === PAGING.limit) toPage(values as PagingValues, context.settings);
    await reply.freshen(endpoint.reads);
    const body = await withCaller(request, reply, { timeoutMs: switches.timeoutMs, cors }, (caller) => {
      const { path, reads, adds = [] } = endpoint;
      const isHeavy = isLarge(context, getMaxRows(values));
      const scope = openScope(context, { route: `v3${path}`, reads, adds, caller, isHeavy });
      // An answer from no projection is as new as the server's head.
      reply.source = endpoint.reads.length > 0 ? scope : null;
      reply.isFinished = isFinished(endpoint, values, scope.visible);
      return answer(cache, endpoint, scope, { values, switches, fields });
    });
    if (Buffer.isBuffer(body)) reply.type('application/json; charset=utf-8');
    return body;
  });
}

function addPostEndpoint(app: FastifyInstance, context: ServeContext, endpoint: PostEndpoint): void {
  const schema = {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    body: withBodyExample(endpoint.body, BODY_EXAMPLES[endpoint.path]),
    response: {
      200: { description: 'success', ...endpoint.answer },
      default: { description: 'failure', ...ErrorSchema },
    },
  };
  const { queryTimeoutMs, cors } = context.settings;
  const { properties = {} } = endpoint.body as { readonly properties?: BodyFields };
  const known = Object.keys(properties);
  app.post(endpoint.path, { schema, bodyLimit: CELLS_BODY_BYTES }, (request, reply) =>
    withCaller(request, reply, { timeoutMs: queryTimeoutMs, cors }, async (caller) => {
      if (endpoint.sends) requireSender(caller);
      const { path, reads } = endpoint;
      const body = readPosted(request, properties);
      setIgnoredHeader(reply, ignoredNames(request, context.settings, sentBy(request.url, body), known));
      await reply.freshen(reads);
      const found = reads.length > 0 ? tryOpenScope(context, { route: `v3${path}`, reads, caller }) : null;
      const scope = found instanceof ProjectionUnavailableError ? null : found;
      reply.source = scope;
      return endpoint.handle(context, scope, body, caller);
    }),
  );
}

/** A request of a GET route, read. */
interface ReadRequest {
  readonly values: ParameterValues<Parameters>;
  readonly switches: Switches;
  readonly fields: SelectedFields;
}

/** Maximum rows of the answer; 0 if no parameter sets it. */
function getMaxRows(values: ReadRequest['values']): number {
  const { limit = 0 } = values as { readonly limit?: number };
  return limit;
}

async function answer(
  cache: ResponseCache,
  endpoint: Endpoint,
  scope: ReadScope<ProjectionName>,
  { values, switches, fields }: ReadRequest,
): Promise<unknown> {
  const { settings, network } = scope.context;
  const request = { settings, switches, testnet: network.testnet, fields };
  const make = (from: ReadScope<ProjectionName>) =>
    makeInTurn(from, async () =>
      selectFields(endpoint, await endpoint.handle(from, values, request), fields),
    );
  if (!endpoint.cached) return make(scope);
  const { addressBook, metadata, actionsVersion } = switches;
  const key = responseKey(scope, endpoint.path, values, { addressBook, metadata, actionsVersion });
  return cache.body(key, scope.caller, async (shared) => jsonBytes(await make(scopeFor(scope, shared))));
}
