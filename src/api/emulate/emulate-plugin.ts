import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { needChain } from '../chain/need-chain.ts';
import { withBodyExample } from '../example-values.ts';
import { CELLS_BODY_BYTES } from '../http/body-limits.ts';
import { withCaller } from '../http/caller.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { jsonBytes } from '../http/json-bytes.ts';
import { setIgnoredHeader } from '../http/strict.ts';
import { openScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';
import { ignoredNames, sentBy } from '../v3/ignored-names.ts';
import type { PostBody } from '../v3/parameters/body.ts';
import { prepareApi } from '../v3/prepare-api.ts';
import { readBody } from '../v3/read-body.ts';
import { ErrorSchema } from '../v3/schemas/common.ts';
import type { ProjectionName } from '../version-vector.ts';
import type { EmulateEndpoint } from './emulate-endpoint.ts';
import { EMULATION_EXAMPLES } from './examples.ts';
import { EMULATION_MS } from './limits.ts';
import { invalid } from './request-fields.ts';
import { EMULATE_ENDPOINTS } from './routes/endpoints.ts';
import { EmulatedTraceSchema } from './schemas.ts';

/** The emulation API (v3-rules.md 1); registered with prefix /api/emulate. */
export const emulatePlugin: FastifyPluginAsync<{ readonly context: ServeContext }> = async (
  app,
  { context },
) => {
  await prepareApi(app, context, {
    title: 'tonhouse emulation',
    description:
      'What messages would do on the newest state, compatible with the emulation API of TON Center.',
  });
  for (const endpoint of EMULATE_ENDPOINTS) addEndpoint(app, context, endpoint);
};

function addEndpoint(app: FastifyInstance, context: ServeContext, endpoint: EmulateEndpoint): void {
  const { path, summary, body: bodySchema, reads, adds } = endpoint;
  const schema = {
    tags: ['emulate'],
    summary,
    body: withBodyExample(bodySchema, EMULATION_EXAMPLES[path]),
    response: {
      200: { description: 'success', ...EmulatedTraceSchema },
      default: { description: 'failure', ...ErrorSchema },
    },
  };
  const { queryTimeoutMs, cors } = context.settings;
  // An emulation that reaches its time limit returns its result so far.
  const limits = { timeoutMs: queryTimeoutMs + EMULATION_MS, cors };
  const known = Object.keys(bodySchema.properties);
  app.post(path, { schema, bodyLimit: CELLS_BODY_BYTES }, async (request, reply) => {
    const body = readFields(() => readBody(request));
    setIgnoredHeader(reply, ignoredNames(request, context.settings, sentBy(request.url, body), known));
    needChain(context);
    await reply.freshen(reads);
    const version = request.headers['x-actions-version'];
    const answer = await withCaller(request, reply, limits, async (caller) => {
      const scope = openScope<ProjectionName>(context, {
        route: `emulate${path}`,
        reads,
        adds,
        caller,
        isHeavy: true,
      });
      reply.source = scope;
      return endpoint.handle(scope, body, typeof version === 'string' && version !== '' ? version : null);
    });
    reply.type('application/json; charset=utf-8');
    return jsonBytes(answer);
  });
}

/** A body that cannot be read is 400 here. */
function readFields(read: () => PostBody): PostBody {
  try {
    return read();
  } catch (error) {
    throw error instanceof HttpError ? invalid(error.message) : error;
  }
}
