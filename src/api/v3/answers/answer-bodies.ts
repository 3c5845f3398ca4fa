import type { Counter } from '../../../platform/observability/metrics/metrics.ts';
import type { BodyDecoder, DecodedBody } from '../../../ton/bodies/body-decoder.ts';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { Budget, type Json, type JsonFields } from '../../../ton/schema/reading.ts';
import { knownBodies } from '../../known-bodies.ts';
import type { ServeContext } from '../../serve-context.ts';
import { type CachedBodies, cachedBodies } from './cached-bodies.ts';

/** About the bytes of JSON that one body is decoded to. */
const MAX_OF_BODY = 2 ** 20;
/** About the bytes of JSON that all bodies of an answer are decoded to: a full page has two million. */
const MAX_OF_ANSWER = 2 ** 24;

/** Names and decoded bodies that messages are shown with. */
export type MessageBodies = Pick<AnswerBodies, 'getName' | 'getDecoded'>;

/** The bodies of an answer whose messages are shown without their contents: none is decoded. */
export function undecodedBodies(context: Pick<ServeContext, 'bodies' | 'metrics'>): MessageBodies {
  const bodies = new AnswerBodies(context);
  return { getName: (op) => bodies.getName(op), getDecoded: () => null };
}

/** Decodes the bodies of one answer; those that are too large, one by one or all together, are not. */
export class AnswerBodies {
  readonly #decoder: BodyDecoder;
  readonly #refused: Counter<'reason'> | undefined;
  readonly #cached: CachedBodies;
  #left = MAX_OF_ANSWER;

  constructor(context: Pick<ServeContext, 'bodies' | 'metrics'>) {
    const { bodies, metrics } = context;
    this.#decoder = bodies ?? knownBodies();
    this.#cached = cachedBodies(context);
    this.#refused = metrics?.counter({
      name: 'tonhouse_bodies_refused_total',
      help: 'Message bodies that were not decoded: malformed, nested too deep, or too large',
      labels: ['reason'],
    });
  }

  /** `decoded_opcode` (v3-models.md 6). */
  getName(op: number | null): string | null {
    return op === null ? null : this.#decoder.getName(op);
  }

  /** As `decoded`, of the body with a hash: it is decoded for the first of the server's answers that has it. */
  getDecoded(hash: string, bag: Uint8Array): JsonFields | null {
    const known = this.#cached.get(hash);
    // The size limit of an answer counts every body in it, cached or not.
    if (known && known.bytes <= Math.min(this.#left, MAX_OF_BODY)) {
      this.#left -= known.bytes;
      return known.fields;
    }
    const left = this.#left;
    const body = this.decode(bag);
    const fields = shown(body);
    if (fields || isUnknown(body)) this.#cached.set(hash, { fields, bytes: left - this.#left });
    return fields;
  }

  /** `decoded` of a body in an answer, null if no layout fits (v3-models.md 6.1). */
  decoded(bag: Uint8Array): JsonFields | null {
    return shown(this.decode(bag));
  }

  /** As `decoded`, of a payload in base64; null for none. */
  decodedPayload(payload: string | null): JsonFields | null {
    const bag = payload === null ? null : fromBase64(payload);
    return bag && this.decoded(bag);
  }

  /** The decoded body, or why it is not decoded. */
  decode(bag: Uint8Array): DecodedBody {
    const most = Math.min(this.#left, MAX_OF_BODY);
    const budget = new Budget(most);
    const body = this.#decoder.decode(bag, budget);
    this.#left -= most - Math.max(budget.remaining, 0);
    if ('undecoded' in body && !isUnknown(body)) this.#refused?.inc({ reason: body.undecoded });
    return body;
  }
}

/** No layout fits, whatever the limits. */
function isUnknown(body: DecodedBody): boolean {
  return 'undecoded' in body && body.undecoded === 'unknown';
}

function shown(body: DecodedBody): JsonFields | null {
  return 'value' in body ? shownInMessage(body.value) : null;
}

/** Comments have a form of their own in messages and transfers; `type` is the old name of `@type`. */
function shownInMessage(value: Json): JsonFields {
  const fields = value as JsonFields;
  if (fields['@type'] !== 'text_comment') return fields;
  return { '@type': 'text_comment', comment: fields.text ?? '', type: 'text_comment' };
}
