/** One request from its parameters to its answer, the same for GET, POST and /jsonRPC. */
import type { IncomingHttpHeaders } from 'node:http';
import { StoreTimeoutError } from '../../../platform/clickhouse/store-errors.ts';
import { getOutcome } from '../../../platform/errors/error-outcome.ts';
import type { Caller } from '../../caller.ts';
import { requireSender } from '../../http/caller.ts';
import { ClientGoneError, DeadlineError } from '../../http/errors/caller-errors.ts';
import { toOverload } from '../../http/errors/error-answer.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../http/json-source.ts';
import { isStrict } from '../../http/strict.ts';
import { unknownNames, unknownText } from '../../parameters/unknown-parameters.ts';
import { tryOpenScope } from '../../query/scope.ts';
import type { ServeContext } from '../../serve-context.ts';
import { type AnswerSource, type ProjectionName, ProjectionUnavailableError } from '../../version-vector.ts';
import { InvalidRequest, unavailableError } from '../errors.ts';
import type { BlockIdTag } from '../format/block-id.ts';
import type { Method } from '../methods/method.ts';
import { METHODS_BY_NAME } from '../methods/methods.ts';
import { type EnvelopeFields, echoText, failure, success } from './envelope.ts';

/** Status and body of an answer. */
export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  /** Seconds for the header `Retry-After`; null: none. */
  readonly retryAfter: number | null;
  /** Parameters of the request that had no effect. */
  readonly ignored: readonly string[];
  /** Source of the answer; null if nothing was read. */
  readonly source: AnswerSource | null;
  /** It speaks of history that no later block changes. */
  readonly isFinished: boolean;
}

/** Facts of every call in addition to its body. */
interface CallFacts {
  /** They may ask for strict mode. */
  readonly headers: IncomingHttpHeaders;
  /** As `FastifyReply.freshen`. */
  freshen(reads: readonly ProjectionName[]): Promise<void>;
}

/** A call of a method, by a route of its own. */
export interface RestCall extends CallFacts {
  readonly method: Method;
  readonly input: JsonObject;
  /** `@extra` as sent. */
  readonly extra: JsonValue | undefined;
}

/** A call by /jsonRPC. */
export interface RpcCall extends CallFacts {
  readonly body: JsonValue;
}

/** The tag that clients of each route insist on, unless the setting overrides both. */
function getTag(context: ServeContext, route: 'rest' | 'rpc'): BlockIdTag {
  const { blockIdTag } = context.settings;
  if (blockIdTag !== 'auto') return blockIdTag;
  return route === 'rest' ? 'chain.blockIdExt' : 'ton.blockIdExt';
}

/** Turns what is thrown into an answer; what is no answer of the contract is logged as well. */
export function failureReply(context: ServeContext, error: unknown, fields: EnvelopeFields): Reply {
  const known = knownError(error) ?? internalError(context, error);
  const body = failure(known.status, known.message, fields);
  return {
    status: known.status,
    body,
    retryAfter: getRetryAfter(error),
    ignored: [],
    source: null,
    isFinished: false,
  };
}

function getRetryAfter(error: unknown): number | null {
  if (error instanceof ProjectionUnavailableError) return error.retryAfter;
  return toOverload(error)?.retryAfter ?? null;
}

/** Errors whose text is written for clients; null for any other. */
function knownError(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  if (error instanceof ProjectionUnavailableError) return unavailableError(error);
  return error instanceof ClientGoneError ? new HttpError(error.httpStatus, error.message) : null;
}

/** The text of an internal failure stays in the log: it may describe the store. */
function internalError(context: ServeContext, error: unknown): HttpError {
  context.log.error({ error }, 'v2: the request failed');
  const busy = toOverload(error);
  if (busy) return busy;
  if (error instanceof StoreTimeoutError || error instanceof DeadlineError)
    return new HttpError(504, 'LITE_SERVER_NETWORK timeout');
  if (getOutcome(error).httpStatus === 503) return new HttpError(542, 'no workers available');
  return new HttpError(500, 'internal error');
}

/** GET and POST of a method. */
export async function callRest(
  context: ServeContext,
  { extra, ...call }: RestCall,
  caller: Caller,
): Promise<Reply> {
  const fields: EnvelopeFields = { extra: echoText(extra), rpc: undefined, startedAt: performance.now() };
  try {
    return await answered(context, call, fields, caller);
  } catch (error) {
    return failureReply(context, error, fields);
  }
}

/** POST /jsonRPC with the body of the request. */
export async function callRpc(
  context: ServeContext,
  { body, ...facts }: RpcCall,
  caller: Caller,
): Promise<Reply> {
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
    const call = { method: rpcMethod(body.method), input: rpcParameters(params), ...facts };
    return await answered(context, call, fields, caller);
  } catch (error) {
    return failureReply(context, error, fields);
  }
}

async function answered(
  context: ServeContext,
  { method, input, headers, freshen }: Omit<RestCall, 'extra'>,
  fields: EnvelopeFields,
  caller: Caller,
): Promise<Reply> {
  const { name, reads, group } = method;
  const ignored = ignoredNames(context, method, input, headers);
  if (group === 'send') requireSender(caller);
  const run = method.prepare(input);
  await freshen(reads);
  const found = reads.length > 0 ? tryOpenScope(context, { route: `v2/${name}`, reads, caller }) : null;
  const unavailable = found instanceof ProjectionUnavailableError ? found : null;
  const scope = found instanceof ProjectionUnavailableError ? null : found;
  const blockIdTag = getTag(context, fields.rpc ? 'rpc' : 'rest');
  const result = await run({ context, scope, unavailable, caller, blockIdTag });
  const body = success(result, fields);
  return { status: 200, body, retryAfter: null, ignored, source: scope, isFinished: method.isFinished };
}

/** Unknown names for the method. @throws InvalidRequest in strict mode, if there are any */
function ignoredNames(
  { settings }: ServeContext,
  { parameters }: Method,
  input: JsonObject,
  headers: IncomingHttpHeaders,
): readonly string[] {
  const known = Object.keys(parameters);
  const unknown = unknownNames(Object.keys(input), known);
  if (unknown.length > 0 && isStrict(input.strict, headers, settings))
    throw new InvalidRequest(unknownText(unknown, known));
  return unknown;
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
