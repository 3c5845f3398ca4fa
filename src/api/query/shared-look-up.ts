import {
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../platform/clickhouse/store-errors.ts';
import type { Caller } from '../caller.ts';
import { whileWaiting } from '../http/caller.ts';
import { ClientGoneError } from '../http/errors/caller-errors.ts';
import { AnswerTooLargeError } from '../http/errors/http-error.ts';
import type { ServeContext } from '../serve-context.ts';
import { sourceName } from '../version-vector.ts';
import { getAdmission, getHeavyAdmission } from './admission.ts';
import { type LookUp, type ReadScope, scopeFor } from './scope.ts';

/** A request with more keys has a separate statement: no other waits for its rows. */
export const MAX_SHARED_KEYS = 16;
/** Keys of one statement: further ones take the next. */
const MAX_KEYS = 64;
/** So long keys are gathered in any case while an earlier statement of their kind is under way, milliseconds. */
const GATHER_MS = 10;
/** And so long at most, where statements of their kind take long: on a busy machine waiting for one is cheaper than a further one. */
const MAX_GATHER_MS = 100;
/** A statement that takes this many times as long as others is not waited for. */
const SLOW_FACTOR = 2;
/** Part that the newest statement has in the time that is taken for usual. */
const NEWEST_SHARE = 1 / 8;

/** Look-ups of one version and visible range that may share a statement. */
interface Group<Found> {
  gathering: Batch<Found> | null;
  underWay: number;
}

/**
 * Concurrent look-ups of one kind from several answers, read by one statement (docs/decisions/0026-look-ups.md). The
 * first is sent at once; those that arrive meanwhile are gathered until it returns, or a time limit. Only answers of
 * the same version and visible range share. Each keeps its own deadline and may leave: the statement ends when all have
 * left. It has the latest deadline, and the best position in the store's queue.
 */
export class SharedLookUp<Found, Like = void> implements LookUp<Found, Like> {
  readonly read: LookUp<Found, Like>['read'];
  readonly #groups = new WeakMap<ServeContext, Map<string, Group<Found>>>();
  /** How long a statement takes, milliseconds. */
  #usualMs = 0;

  constructor(read: LookUp<Found, Like>['read']) {
    this.read = read;
  }

  /**
   * Finds the keys, and perhaps others. Only look-ups with an equal `like` (as JSON) share a statement.
   * @throws StoreError, OverloadedError, or the reason of the caller's signal
   */
  find(scope: ReadScope, keys: readonly string[], like: Like): Promise<Found> {
    if (keys.length > MAX_SHARED_KEYS) return this.read(scope, keys, like);
    const groups = this.#getGroups(scope.context);
    // Heavy answers wait for each other: no other shares with them, and their time does not count as usual.
    const { isHeavy } = scope;
    const name = `${sourceName(scope)} ${isHeavy} ${JSON.stringify(like)}`;
    const group = groups.get(name) ?? { gathering: null, underWay: 0 };
    groups.set(name, group);
    const send = (batch: Batch<Found>) => {
      if (group.gathering !== batch) return;
      group.gathering = null;
      group.underWay++;
      const sent = performance.now();
      batch
        .run((one, some) => this.read(one, some, like))
        .then(() => {
          if (!isHeavy) this.#usualMs += (performance.now() - sent - this.#usualMs) * NEWEST_SHARE;
          group.underWay--;
          if (group.gathering) send(group.gathering);
          else if (group.underWay === 0) groups.delete(name);
        });
    };
    const batch = group.gathering ?? gather(group, send, this.#gatherMs);
    const found = batch.join(scope, keys);
    if (batch.keys >= MAX_KEYS) send(batch);
    return found;
  }

  get #gatherMs(): number {
    return Math.min(MAX_GATHER_MS, Math.max(GATHER_MS, this.#usualMs * SLOW_FACTOR));
  }

  #getGroups(context: ServeContext): Map<string, Group<Found>> {
    const known = this.#groups.get(context);
    if (known) return known;
    const made = new Map<string, Group<Found>>();
    this.#groups.set(context, made);
    return made;
  }
}

function gather<Found>(
  group: Group<Found>,
  send: (batch: Batch<Found>) => void,
  longestMs: number,
): Batch<Found> {
  const batch = new Batch<Found>();
  group.gathering = batch;
  // Requests that wait in the sockets are read before an immediate runs.
  if (group.underWay === 0) setImmediate(send, batch);
  // The busier the store, the more share a statement; one that is slow does not hold the others up for long.
  else setTimeout(send, longestMs, batch);
  return batch;
}

type ReadSome<Found> = (scope: ReadScope, keys: readonly string[]) => Promise<Found>;

interface Member<Found> {
  readonly scope: ReadScope;
  readonly keys: readonly string[];
  resolve(found: Found): void;
  reject(error: unknown): void;
}

/** Look-ups that share one statement. */
class Batch<Found> {
  readonly #members = new Set<Member<Found>>();
  readonly #controller = new AbortController();
  #keys = 0;
  #isOver = false;

  /** Number of keys that were asked for, with doubles. */
  get keys(): number {
    return this.#keys;
  }

  async join(scope: ReadScope, keys: readonly string[]): Promise<Found> {
    scope.caller.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const member = { scope, keys, resolve, reject };
    this.#members.add(member);
    this.#keys += keys.length;
    try {
      return await whileWaiting(scope.caller, promise);
    } finally {
      this.#members.delete(member);
      if (this.#members.size === 0 && !this.#isOver)
        this.#controller.abort(new ClientGoneError('no request waits for the look-up any more'));
    }
  }

  /** Never rejects: each look-up gets its outcome. */
  async run(read: ReadSome<Found>): Promise<void> {
    const members = [...this.#members];
    const [first] = members;
    if (!first) return;
    const begun = members.some(({ scope }) => scope.progress.begun);
    for (const { scope } of members) scope.progress.begun = true;
    const shared = scopeFor(first.scope, this.#caller(members), begun);
    const keys = [...new Set(members.flatMap((member) => member.keys))];
    try {
      const found = await read(shared, keys);
      this.#isOver = true;
      for (const member of members) member.resolve(found);
    } catch (error) {
      this.#isOver = true;
      if (members.length > 1 && isOfTheStatement(error)) await readSingly(members, read);
      else for (const member of members) member.reject(error);
    }
  }

  #caller(members: readonly Member<Found>[]): Caller {
    const callers = members.map(({ scope }) => scope.caller);
    const { context, isHeavy } = (members[0] as Member<Found>).scope;
    const admission = isHeavy ? getHeavyAdmission(context) : getAdmission(context);
    return {
      signal: this.#controller.signal,
      deadline: Math.max(...callers.map(({ deadline }) => deadline)),
      client: admission.leastWaiting(callers.map(({ client }) => client)),
      readOnly: true,
    };
  }
}

/** The store refused this statement, perhaps for the rows of one of its keys: the others shall not suffer for it. */
function isOfTheStatement(error: unknown): boolean {
  if (error instanceof AnswerTooLargeError) return true;
  return (
    error instanceof StoreError &&
    !(error instanceof StoreTimeoutError || error instanceof StoreUnavailableError)
  );
}

async function readSingly<Found>(members: readonly Member<Found>[], read: ReadSome<Found>): Promise<void> {
  await Promise.all(
    members.map(({ scope, keys, resolve, reject }) =>
      scope.caller.signal.aborted ? undefined : read(scope, [...new Set(keys)]).then(resolve, reject),
    ),
  );
}
