import { errorAnswer } from '../http/errors/error-answer.ts';
import { RATE_EXCEEDED } from '../http/fairness/rate-limits.ts';
import {
  isJsonObject,
  type JsonObject,
  JsonTextError,
  parseJsonWithoutNumbers,
} from '../http/json-source.ts';
import type { ServeContext } from '../serve-context.ts';
import { readId, readSubscription, readTargets, refused, SOCKET_WORDS } from './read-subscription.ts';
import { startAt } from './request-facts.ts';
import type { Stream } from './stream.ts';
import { without } from './subscription.ts';

/** Choices of one connection in addition to its subscription. */
export interface SocketChoices {
  /** Events are sent with their ids. */
  withIds: boolean;
}

/** A request on a WebSocket, and what it may change. */
export interface SocketRequest {
  /** Null for a binary frame. */
  readonly text: string | null;
  readonly stream: Stream;
  readonly choices: SocketChoices;
  readonly actionsVersion: string | null;
}

export type Reply = Readonly<Record<string, string>>;

/** Longest name of an operation that an error repeats. */
const MAX_SHOWN_LENGTH = 100;
const ENVELOPE = 'invalid request envelope';
/** A message that is parsed although it is refused, for the id of the reply. */
const SHORT_BYTES = 1_024;

/** Does what a request asks for and answers it (streaming.md 4 and 10); one that fails changes nothing. */
export function answerRequest(requested: SocketRequest, context: ServeContext): Reply {
  let id: Reply = {};
  try {
    const request = readEnvelope(requested.text);
    id = replyId(request);
    return { ...id, ...perform(request, requested, context) };
  } catch (error) {
    const { body, logged } = errorAnswer(error);
    if (logged) context.log.error({ error }, 'a request of a stream failed');
    return { ...id, error: body.error };
  }
}

function readEnvelope(text: string | null): JsonObject {
  if (text === null) throw refused(`${ENVELOPE}: it must be text`);
  const value = parseText(text);
  if (!isJsonObject(value)) throw refused(`${ENVELOPE}: it must be an object`);
  return value;
}

function replyId(request: JsonObject): Reply {
  const id = readId(request, ENVELOPE);
  return id === null ? {} : { id };
}

/** Refuses a message whose client is beyond its rate. Only a short message is parsed, for its id. */
export function refuseBeyondRate(message: Uint8Array | null): Reply {
  const refusal = { error: RATE_EXCEEDED };
  if (message === null || message.length > SHORT_BYTES) return refusal;
  try {
    return { ...replyId(readEnvelope(String(message))), ...refusal };
  } catch {
    return refusal;
  }
}

function parseText(text: string) {
  try {
    return parseJsonWithoutNumbers(text);
  } catch (error) {
    if (error instanceof JsonTextError) throw refused(`${ENVELOPE}: it is not JSON`);
    throw error;
  }
}

function perform(request: JsonObject, requested: SocketRequest, context: ServeContext): Reply {
  const operation = request.operation ?? '';
  if (operation === 'ping') return { status: 'pong' };
  if (operation === 'subscribe') return subscribe(request, requested, context);
  if (operation === 'unsubscribe') return unsubscribe(request, requested, context);
  if (typeof operation !== 'string') throw refused(`${ENVELOPE}: operation must be a string`);
  throw refused(`unknown operation: ${operation.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}`);
}

/** Beyond the contract: `include_event_ids` adds ids to events, `last_event_id` resumes after one. */
function subscribe(
  request: JsonObject,
  { stream, choices, actionsVersion }: SocketRequest,
  { settings }: ServeContext,
): Reply {
  const subscription = readSubscription(request, {
    words: SOCKET_WORDS,
    mostAddresses: settings.streamAddresses,
    actionsVersion,
  });
  const { last_event_id: last, include_event_ids: ids = false } = request;
  if (typeof ids !== 'boolean')
    throw refused(`${SOCKET_WORDS.unreadable}: include_event_ids must be a boolean`);
  if (last !== undefined && last !== null && typeof last !== 'string')
    throw refused(`${SOCKET_WORDS.unreadable}: last_event_id must be a string`);
  stream.subscribe(subscription, last ? startAt(last) : null);
  choices.withIds = ids || Boolean(last);
  return { status: 'subscribed', ...(choices.withIds ? { event_id: stream.eventId! } : {}) };
}

function unsubscribe(request: JsonObject, { stream }: SocketRequest, { settings }: ServeContext): Reply {
  const targets = readTargets(request, {
    unreadable: 'invalid unsubscribe request',
    max: settings.streamAddresses,
  });
  if (targets.addresses.size + targets.hashes.size === 0)
    throw refused('addresses or trace_external_hash_norms are required');
  const { subscription } = stream;
  if (subscription) stream.subscribe(without(subscription, targets), null);
  return { status: 'unsubscribed' };
}
