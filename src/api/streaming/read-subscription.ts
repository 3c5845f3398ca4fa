import { toBase64 } from '../../ton/hash/base64.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { parseHash } from '../parameters/hash.ts';
import { accountFromText, rawAddress } from '../query/account-id.ts';
import {
  EVENT_TYPES,
  type EventType,
  FINALITIES,
  type Finality,
  getChoices,
  type Subscription,
  type SubscriptionFields,
} from './subscription.ts';

/** The texts in which the two transports differ (streaming.md 10). */
export interface SubscriptionWords {
  readonly unreadable: string;
  readonly noTypes: string;
  readonly noAddresses: string;
  tooMany(found: number, most: number): string;
}

export const SSE_WORDS: SubscriptionWords = {
  unreadable: 'invalid subscription request',
  noTypes: 'types are required for subscription',
  noAddresses: 'addresses are required for subscription',
  tooMany: (found, most) => `too many addresses: ${found} > max ${most}`,
};

export const SOCKET_WORDS: SubscriptionWords = {
  unreadable: 'invalid subscribe request',
  noTypes: 'types are required',
  noAddresses: 'addresses are required',
  tooMany: (found, most) => `address limit exceeded: current 0 + new ${found} > max ${most}`,
};

export interface SubscriptionRules {
  readonly words: SubscriptionWords;
  /** Addresses of one connection. It may have as many hashes. */
  readonly mostAddresses: number;
  /** Header `X-Actions-Version`, which replaces the default of supported_action_types; null: not sent. */
  readonly actionsVersion: string | null;
}

/** Names of types of actions in one list: there are some hundred. */
const MAX_NAMES = 1_000;
const MAX_SHOWN_LENGTH = 100;
const MAX_ID_LENGTH = 256;

/** Reads a subscription (streaming.md 2). Unknown fields are ignored. @throws HttpError 400 with the text of section 10 */
export function readSubscription(body: unknown, rules: SubscriptionRules): Subscription {
  const { words } = rules;
  const fields = readFields(body, rules);
  if (fields.types.length === 0) throw refused(words.noTypes);
  const types = parseTypes(fields.types);
  const addresses = readAddresses(fields.addresses);
  const hashes = readHashes(fields.hashes);
  if (hashes.size > 0 && !types.has('trace'))
    throw refused('trace_external_hash_norms requires type "trace"');
  if (types.has('trace') && hashes.size === 0)
    throw refused('trace_external_hash_norms are required for trace subscription');
  if (addresses.size === 0 && needsAddresses(types)) throw refused(words.noAddresses);
  return { types, addresses, hashes, ...getChoices(fields) };
}

/** Reads the addresses and hashes of a request, at most `max` of each. @throws HttpError 400 */
export function readTargets(
  body: unknown,
  { unreadable, max }: { readonly unreadable: string; readonly max: number },
): Pick<Subscription, 'addresses' | 'hashes'> {
  const object = parseObject(body, unreadable);
  return {
    addresses: readAddresses(parseStrings(object, 'addresses', { unreadable, max })),
    hashes: readHashes(parseStrings(object, 'trace_external_hash_norms', { unreadable, max })),
  };
}

/** Reads the `id` of a request, which the reply repeats; null if it has none. @throws HttpError 400 */
export function readId(body: unknown, unreadable: string): string | null {
  const { id = null } = parseObject(body, unreadable);
  if (id === null) return null;
  if (typeof id !== 'string') throw refused(`${unreadable}: id must be a string`);
  if (id.length > MAX_ID_LENGTH)
    throw refused(`${unreadable}: id has ${id.length} characters, at most ${MAX_ID_LENGTH} are allowed`);
  return id;
}

/** A refusal in the words of streaming.md 10. */
export function refused(text: string): HttpError {
  return new HttpError(400, text);
}

/**
 * All concerned clients get `trace_invalidated`: without other types a subscription has only addresses (section 12, 1).
 */
function parseTypes(names: readonly string[]): ReadonlySet<EventType> {
  const known: ReadonlySet<string> = new Set([...EVENT_TYPES, 'trace_invalidated']);
  for (const name of names) if (!known.has(name)) throw refused(`invalid event type: ${shown(name)}`);
  return new Set(names.filter((name): name is EventType => name !== 'trace_invalidated'));
}

function needsAddresses(types: ReadonlySet<EventType>): boolean {
  return types.size === 0 || [...types].some((type) => type !== 'trace');
}

function readFields(body: unknown, rules: SubscriptionRules): SubscriptionFields {
  const { words, mostAddresses, actionsVersion } = rules;
  const { unreadable } = words;
  const object = parseObject(body, unreadable);
  const names = (name: string) => parseStrings(object, name, { unreadable, max: MAX_NAMES });
  const supported = names('supported_action_types');
  return {
    types: names('types'),
    addresses: parseStrings(object, 'addresses', {
      unreadable,
      max: mostAddresses,
      tooMany: (found) => words.tooMany(found, mostAddresses),
    }),
    hashes: parseStrings(object, 'trace_external_hash_norms', {
      unreadable,
      max: mostAddresses,
      tooMany: (found) => `too many trace_external_hash_norms: ${found} > max ${mostAddresses}`,
    }),
    minFinality: parseFinality(object, unreadable),
    withBook: parseFlag(object, 'include_address_book', unreadable),
    withMetadata: parseFlag(object, 'include_metadata', unreadable),
    actionTypes: names('action_types'),
    supportedTypes: supported.length === 0 && actionsVersion !== null ? [actionsVersion] : supported,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(body: unknown, unreadable: string): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refused(`${unreadable}: the request must be an object`);
  return body as Fields;
}

interface ListRules {
  readonly unreadable: string;
  /** Items of the sent list, duplicates included. */
  readonly max: number;
  /** Text of the refusal of a longer list. */
  readonly tooMany?: (found: number) => string;
}

/** Checks the length of a list before it reads an item. @throws HttpError 400 */
function parseStrings(
  object: Fields,
  name: string,
  { unreadable, max, tooMany }: ListRules,
): readonly string[] {
  const value = object[name] ?? [];
  const isList = Array.isArray(value);
  if (isList && value.length > max)
    throw refused(tooMany?.(value.length) ?? `${unreadable}: ${name} has more than ${max} items`);
  if (isList && value.every((one) => typeof one === 'string')) return value;
  throw refused(`${unreadable}: ${name} must be an array of strings`);
}

function parseFlag(object: Fields, name: string, unreadable: string): boolean {
  const value = object[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw refused(`${unreadable}: ${name} must be a boolean`);
}

function parseFinality(object: Fields, unreadable: string): Finality {
  const value = object.min_finality ?? 'finalized';
  const found = FINALITIES.find((one) => one === value);
  if (found) return found;
  throw refused(`${unreadable}: min_finality must be pending, confirmed or finalized`);
}

function readAddresses(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.map((text) => {
      const account = accountFromText(text.trim());
      if (!account) throw refused(`invalid address: ${shown(text)}`);
      return rawAddress(account);
    }),
  );
}

/** Every form of a hash is taken, and compared as base64. */
function readHashes(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.map((text) => {
      const trimmed = text.trim();
      if (trimmed === '') throw refused('trace_external_hash_norms contains empty value');
      const hash = parseHash(trimmed, { hasPrefix: true, isTolerant: true });
      if (!hash) throw refused(`invalid trace_external_hash_norm: ${shown(text)}`);
      return toBase64(hash);
    }),
  );
}

/** A text of the client as errors show it. */
function shown(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length > MAX_SHOWN_LENGTH ? `${wellFormed.slice(0, MAX_SHOWN_LENGTH)}…` : wellFormed;
}
