/** One request from its parameters to its answer, the same for GET, POST and /jsonRPC. */
import { StoreTimeoutError, StoreUnavailableError } from '../../../platform/clickhouse/store-errors.ts';
import type { Caller } from '../../caller.ts';
import { ClientGoneError, DeadlineError, requireSender } from '../../http/caller.ts';
import { overloadOf } from '../../http/error-answer.ts';
import { HttpError } from '../../http/http-error.ts';
import { openScope } from '../../read/read-scope.ts';
import type { ServeContext } from '../../serve-context.ts';
import { InvalidRequest, V2Error } from '../errors.ts';
import type { BlockIdTag } from '../format/block-id.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-source.ts';
import type { Method } from '../methods/method.ts';
import { METHODS_BY_NAME } from '../methods/methods.ts';
import { type EnvelopeFields, echoText, failure, success } from './envelope.ts';

/** Status and body of an answer. */
export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  /** Seconds for the header `Retry-After`; null: none. */
  readonly retryAfter: number | null;
}

/** The tag that clients of each route insist on, unless the setting overrides both. */
function tagOf(context: ServeContext, route: 'rest' | 'rpc'): BlockIdTag {
  const { blockIdTag } = context.settings;
  if (blockIdTag !== 'auto') return blockIdTag;
  return route === 'rest' ? 'chain.blockIdExt' : 'ton.blockIdExt';
}

/** Turns what is thrown into an answer; what is no answer of the contract is logged as well. */
export function failureReply(context: ServeContext, error: unknown, fields: EnvelopeFields): Reply {
  const known = knownError(error) ?? internalError(context, error);
  const body = failure(known.status, known.message, fields);
  return { status: known.status, body, retryAfter: overloadOf(error)?.retryAfter ?? null };
}

/** What both APIs do has errors of both. */
function knownError(error: unknown): V2Error | null {
  if (error instanceof V2Error) return error;
  if (error instanceof ClientGoneError) return new V2Error(499, error.message);
  return error instanceof HttpError ? new V2Error(error.status, error.message) : null;
}

/** The text of an internal failure stays in the log: it tells of the store. */
function internalError(context: ServeContext, error: unknown): V2Error {
  context.log.error({ error }, 'v2: the request failed');
  const busy = overloadOf(error);
  if (busy) return new V2Error(busy.status, busy.message);
  if (error instanceof StoreTimeoutError || error instanceof DeadlineError)
    return new V2Error(504, 'LITE_SERVER_NETWORK timeout');
  if (error instanceof StoreUnavailableError) return new V2Error(542, 'no workers available');
  return new V2Error(500, 'internal error');
}

/** GET and POST of a method. */
export async function callRest(
  context: ServeContext,
  method: Method,
  input: JsonObject,
  extra: JsonValue | undefined,
  caller: Caller,
): Promise<Reply> {
  const fields: EnvelopeFields = { extra: echoText(extra), rpc: undefined, startedAt: performance.now() };
  try {
    return await answered(context, method, input, fields, 'rest', caller);
  } catch (error) {
    return failureReply(context, error, fields);
  }
}

/** POST /jsonRPC with the body of the request. */
export async function callRpc(context: ServeContext, body: JsonValue, caller: Caller): Promise<Reply> {
  const request = isJsonObject(body) ? body : {};
  const params = request.params;
  const extra = isJsonObject(params) ? (params['@extra'] ?? request['@extra']) : request['@extra'];
  const fields: EnvelopeFields = {
    extra: echoText(extra),
    rpc: { jsonrpc: '2.0', id: echoText(request.id) ?? '' },
    startedAt: performance.now(),
  };
  try {
    if (!isJsonObject(body)) throw new InvalidRequest('the request must be an object');
    return await answered(context, rpcMethod(body.method), rpcParameters(params), fields, 'rpc', caller);
  } catch (error) {
    return failureReply(context, error, fields);
  }
}

async function answered(
  context: ServeContext,
  method: Method,
  input: JsonObject,
  fields: EnvelopeFields,
  route: 'rest' | 'rpc',
  caller: Caller,
): Promise<Reply> {
  if (method.group === 'send') requireSender(caller);
  const scope = openScope(context, { route: `v2/${method.name}`, caller });
  const result = await method.call({ context, scope, caller, blockIdTag: tagOf(context, route) }, input);
  return { status: 200, body: success(result, fields), retryAfter: null };
}

/** @throws InvalidRequest */
function rpcMethod(name: JsonValue | undefined): Method {
  if (name === undefined || name === null || name === '') throw new InvalidRequest('method required');
  if (typeof name !== 'string') throw new InvalidRequest('failed to parse method');
  const method = METHODS_BY_NAME.get(name);
  if (!method) throw new InvalidRequest('unknown method');
  return method;
}

/** An empty list counts as no parameters. @throws InvalidRequest */
function rpcParameters(params: JsonValue | undefined): JsonObject {
  if (params === undefined || params === null) return {};
  if (Array.isArray(params) && params.length === 0) return {};
  if (!isJsonObject(params)) throw new InvalidRequest('params must contain an object');
  return params;
}
