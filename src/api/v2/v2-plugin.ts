/**
 * The v2 API as a Fastify plugin, to be registered with the prefix `/api/v2`. Every method of the table is reached by GET,
 * by POST with a JSON object, and through POST /jsonRPC (contract/v2-endpoints.md section 1).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PACKAGE_VERSION } from '../../platform/config/package-version.ts';
import type { Caller } from '../caller.ts';
import { CELLS_BODY_BYTES, PLAIN_BODY_BYTES } from '../http/body-limits.ts';
import { withCaller } from '../http/caller.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { otherMethods } from '../http/errors/not-found.ts';
import {
  isJsonObject,
  type JsonObject,
  JsonTextError,
  type JsonValue,
  parseJson,
} from '../http/json-source.ts';
import { addOpenApi } from '../http/openapi.ts';
import { setIgnoredHeader } from '../http/strict.ts';
import type { ServeContext } from '../serve-context.ts';
import { InvalidRequest } from './errors.ts';
import { callRest, callRpc, failureReply, type Reply, type RestCall } from './http/call.ts';
import { echoText } from './http/envelope.ts';
import { getSchema, postSchema, rpcSchema } from './http/openapi.ts';
import type { Method } from './methods/method.ts';
import { METHODS_BY_NAME } from './methods/methods.ts';

/** Value of `X-API-Version` in v2: the version of the API description that it follows. */
const API_VERSION = '2.1.1';
const RPC = '/jsonRPC';
/**
 * Further addresses of /jsonRPC: clients are configured with and without the last parts of it, and one spells it otherwise
 * (v3-rules.md 11, real-clients.md 3).
 */
const OTHER_RPC = ['/', '/v2/jsonRPC', '/jsonRpc'];

const DOCUMENT = {
  title: 'tonhouse v2',
  description:
    'Node-style answers from the index. Every method can be called by GET, by POST with a JSON object, and through ' +
    `/jsonRPC. Follows version ${API_VERSION} of the TON Center API.`,
  version: PACKAGE_VERSION,
};

export interface V2PluginOptions {
  readonly context: ServeContext;
}

export async function v2Plugin(app: FastifyInstance, { context }: V2PluginOptions): Promise<void> {
  acceptJson(app);
  // Parameters have texts of their own for every mistake; answers leave fields out and are not to be reshaped.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('x-api-version')) reply.header('x-api-version', API_VERSION);
  });
  app.setErrorHandler((error, request, reply) => send(reply, errorReply(context, request, error)));
  app.setNotFoundHandler((request, reply) => sendNotFound(app, context, request, reply));
  await addOpenApi(app, DOCUMENT);
  const { queryTimeoutMs: timeoutMs, cors } = context.settings;
  for (const [name, method] of METHODS_BY_NAME) addMethod(app, context, name, method);
  for (const path of [RPC, ...OTHER_RPC]) {
    const schema = { ...rpcSchema(), hide: path !== RPC };
    app.post(path, { schema, bodyLimit: CELLS_BODY_BYTES }, async (request, reply) => {
      const body = (request.body ?? {}) as JsonValue;
      const { headers } = request;
      const freshen: RestCall['freshen'] = (reads) => reply.freshen(reads);
      const call = (caller: Caller) => callRpc(context, { body, headers, freshen }, caller);
      return send(reply, await withCaller(request, reply, { timeoutMs, cors }, call));
    });
  }
}

function addMethod(app: FastifyInstance, context: ServeContext, name: string, method: Method): void {
  if (!method.postOnly) addGet(app, context, name, method);
  const bodyLimit = method.takesCells ? CELLS_BODY_BYTES : PLAIN_BODY_BYTES;
  app.post(`/${name}`, { schema: postSchema(method), bodyLimit }, async (request, reply) => {
    const body = (request.body ?? {}) as JsonValue;
    if (!isJsonObject(body)) throw new InvalidRequest('the request must be an object');
    const extra = body['@extra'] ?? getExtra(request);
    // Scripts post with a query, which decides (v3-rules.md 12).
    const input = { ...body, ...(request.query as JsonObject) };
    return answer(context, { method, input, extra, headers: request.headers }, request, reply);
  });
}

function addGet(app: FastifyInstance, context: ServeContext, name: string, method: Method): void {
  const options = { schema: getSchema(method), exposeHeadRoute: false };
  app.get(`/${name}`, options, async (request, reply) => {
    const query = request.query as JsonObject;
    const { headers } = request;
    return answer(context, { method, input: query, extra: query['@extra'], headers }, request, reply);
  });
}

async function answer(
  context: ServeContext,
  call: Omit<RestCall, 'freshen'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { queryTimeoutMs, cors } = context.settings;
  const run = (caller: Caller) =>
    callRest(context, { ...call, freshen: (reads) => reply.freshen(reads) }, caller);
  return send(reply, await withCaller(request, reply, { timeoutMs: queryTimeoutMs, cors }, run));
}

function send(reply: FastifyReply, made: Reply): FastifyReply {
  const { status, body, retryAfter, ignored, source, isFinished } = made;
  reply.source = source;
  reply.isFinished = isFinished;
  setIgnoredHeader(reply, ignored);
  if (retryAfter !== null) reply.header('retry-after', retryAfter);
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}

/** Reads a body as JSON, whatever type it claims to be, with integers taken from its text. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : parseJson(String(body)));
    } catch (error) {
      done(error as Error);
    }
  });
}

function getExtra(request: FastifyRequest): JsonValue | undefined {
  return (request.query as JsonObject | undefined)?.['@extra'];
}

/** A path that is known under another verb is 405, any other 404. */
function sendNotFound(
  app: FastifyInstance,
  context: ServeContext,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const allowed = otherMethods(app, request);
  if (allowed.length > 0) reply.header('allow', allowed.join(', '));
  const error =
    allowed.length > 0
      ? new HttpError(405, `unsupported http method: ${request.method}`)
      : new HttpError(404, 'Not Found');
  send(reply, replyTo(context, request, error));
}

/** Failures before a method is called: a body that is no JSON, or is too large. */
function errorReply(context: ServeContext, request: FastifyRequest, error: unknown): Reply {
  if (error instanceof JsonTextError) {
    return replyTo(context, request, new InvalidRequest('the request is not JSON'));
  }
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  const refused = !(error instanceof HttpError) && statusCode !== undefined && statusCode < 500;
  return replyTo(context, request, refused ? new HttpError(statusCode, message ?? '') : error);
}

function replyTo(context: ServeContext, request: FastifyRequest, error: unknown): Reply {
  const rpc = isRpc(request) ? ({ jsonrpc: '2.0', id: '' } as const) : undefined;
  const fields = { extra: echoText(getExtra(request)), rpc, startedAt: performance.now() };
  return failureReply(context, error, fields);
}

function isRpc(request: FastifyRequest): boolean {
  const path = (request.url.split('?', 1)[0] ?? '').replace(/\/$/, '');
  return path === '/api/v2' || /\/json(RPC|Rpc)$/.test(path);
}
