import { IdentityMismatchError, InvalidRequestError, LogNotEstablishedError } from '../errors.ts';
import type { LogIdentity, TopicKind } from '../port.ts';
import type { Commands } from './commands.ts';
import type { CoordinationState, TopicState } from './coordination-state.ts';

/** The rest of a topic's name in Kafka is the prefix. */
const TOPIC_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function applyEstablish(
  state: CoordinationState,
  { identity }: Commands['establish']['args'],
): undefined {
  for (const field of ['epochSize', 'lanes'] as const) {
    if (!Number.isSafeInteger(identity[field]) || identity[field] < 1)
      throw new InvalidRequestError(`identity.${field}`, 'a positive integer', String(identity[field]));
  }
  if (state.identity) compareIdentity(state.identity, identity);
  else state.identity = identity;
}

function compareIdentity(recorded: LogIdentity, wanted: LogIdentity): void {
  for (const field of ['network', 'id', 'epochSize', 'lanes'] as const) {
    if (recorded[field] !== wanted[field])
      throw new IdentityMismatchError(field, String(recorded[field]), String(wanted[field]));
  }
  for (const fact of new Set([...Object.keys(recorded.facts), ...Object.keys(wanted.facts)])) {
    const [before, now] = [recorded.facts[fact] ?? '(absent)', wanted.facts[fact] ?? '(absent)'];
    if (before !== now) throw new IdentityMismatchError(`facts.${fact}`, before, now);
  }
}

/** The topic, new or known. A kind of null accepts any kind, or creates a topic of steps. */
export function applyTopic(state: CoordinationState, { name, kind }: Commands['topic']['args']): TopicKind {
  const known = state.topics.get(name) ?? createTopic(state, name, kind ?? 'steps');
  if (kind && known.kind !== kind)
    throw new InvalidRequestError(`topic ${name}`, `a topic of ${kind}`, `a topic of ${known.kind}`);
  return known.kind;
}

function createTopic(state: CoordinationState, name: string, kind: TopicKind): TopicState {
  if (!TOPIC_NAME.test(name)) throw new InvalidRequestError('topic name', String(TOPIC_NAME), name);
  if (kind === 'steps' && !state.identity) throw new LogNotEstablishedError('Kafka');
  const lanes = kind === 'steps' ? (state.identity?.lanes ?? 1) : 1;
  const topic = { name, kind, low: new Array<number>(lanes).fill(0) };
  state.topics.set(name, topic);
  return topic;
}
