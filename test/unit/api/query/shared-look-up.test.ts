import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Caller } from '../../../../src/api/caller.ts';
import { ClientGoneError } from '../../../../src/api/http/errors/caller-errors.ts';
import { AnswerTooLargeError } from '../../../../src/api/http/errors/http-error.ts';
import { openScope, type ReadScope } from '../../../../src/api/query/scope.ts';
import { SharedLookUp } from '../../../../src/api/query/shared-look-up.ts';
import type { ServeContext } from '../../../../src/api/serve-context.ts';
import { StoreError, StoreTimeoutError } from '../../../../src/platform/clickhouse/store-errors.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { testCaller } from '../../../helpers/test-caller.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

const FACTS = { route: 'test', queryId: '' };

describe('look-ups that share a statement', () => {
  let context: ServeContext;
  let range: { first: number; last: number };
  /** The statements, in their order, with the way to end each. */
  let statements: { scope: ReadScope; keys: readonly string[]; end(error?: unknown): void }[];

  beforeEach(() => {
    range = { first: 1, last: 9 };
    context = { ...storelessContext(), vector: () => baseVector('test', range) };
    statements = [];
  });

  const scope = (caller: Partial<Caller> = {}, isHeavy = false) =>
    openScope(context, { route: 'test', reads: ['base'], caller: testCaller(caller), isHeavy });
  const lookUp = () =>
    new SharedLookUp<ReadonlyMap<string, string>, string>(async (one, keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      statements.push({
        scope: one,
        keys,
        end: (error) => (error === undefined ? resolve() : reject(error)),
      });
      await promise;
      return new Map(keys.map((key) => [key, `found ${key}`]));
    });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('sends keys that come at the same time as one statement, each key once', async () => {
    const one = lookUp();
    const all = Promise.all([['a'], ['b', 'a'], ['c']].map((keys) => one.find(scope(), keys, '')));
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']]);
    statements[0]?.end();
    for (const found of await all) expect(found.get('a')).toBe('found a');
  });

  it('shares nothing between heavy answers, which wait for each other, and others', async () => {
    const one = lookUp();
    const all = [one.find(scope({}, true), ['a'], '')];
    await turn();
    all.push(one.find(scope(), ['a'], ''), one.find(scope({}, true), ['b'], ''));
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
    expect(statements.map((statement) => statement.scope.isHeavy)).toEqual([true, false]);
    for (const { end } of statements) end();
    await turn();
    statements[2]?.end();
    await Promise.all(all);
  });

  it('gathers what comes while a statement is under way, and sends it at the latest when that ends', async () => {
    const one = lookUp();
    const all = [one.find(scope(), ['a'], '')];
    await turn();
    all.push(one.find(scope(), ['b'], ''), one.find(scope(), ['c'], ''));
    statements[0]?.end();
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    statements[1]?.end();
    await Promise.all(all);
  });

  it('gathers for longer where statements take longer, and does not wait for one that is later than others', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const one = lookUp();
    const all: Promise<unknown>[] = [];
    const ask = (key: string) => all.push(one.find(scope({ deadline: Number.MAX_SAFE_INTEGER }), [key], ''));
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
    const sent = () => statements.map(({ keys }) => keys.join());
    ask('a');
    await pass(1);
    ask('b');
    await pass(9);
    expect(sent()).toEqual(['a']);
    await pass(2);
    expect(sent()).toEqual(['a', 'b']);
    for (let i = 0; i < 40; i++) {
      for (const { end } of statements) end();
      await pass(0);
      ask('usual');
      await pass(30);
    }
    statements.splice(0, statements.length - 1);
    ask('c');
    await pass(45);
    expect(sent()).toEqual(['usual']);
    await pass(30);
    expect(sent()).toEqual(['usual', 'c']);
    for (const { end } of statements) end();
    await pass(0);
    await Promise.all(all);
  });

  it('sends what was gathered when the first of several statements is back', async () => {
    const one = lookUp();
    const all = [one.find(scope(), ['slow'], '')];
    await turn();
    const full = Array.from({ length: 4 }, (_, i) => Array.from({ length: 16 }, (_, j) => `${i} ${j}`));
    all.push(...full.map((keys) => one.find(scope(), keys, '')), one.find(scope(), ['next'], ''));
    statements[1]?.end();
    await all[1];
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements.map(({ keys }) => keys.length)).toEqual([1, 64, 1]);
    for (const { end } of statements) end();
    await Promise.all(all);
  });

  it('keeps apart what is read from other ranges or is not alike, and more keys than one statement takes', async () => {
    const one = lookUp();
    const all = [one.find(scope(), ['a'], 'x'), one.find(scope(), ['b'], 'y')];
    range = { first: 1, last: 10 };
    all.push(one.find(scope(), ['c'], 'x'));
    const many = (from: number) => Array.from({ length: 16 }, (_, i) => `${from + i}`);
    for (let from = 0; from < 80; from += 16) all.push(one.find(scope(), many(from), 'z'));
    await turn();
    const seen = statements.map(({ scope: read, keys }) => `${read.visible.last} ${keys.length}`);
    expect(seen.sort()).toEqual(['10 1', '10 16', '10 64', '9 1', '9 1']);
    for (const { end } of statements) end();
    await Promise.all(all);
  });

  it('runs a separate statement immediately for many keys of one answer', async () => {
    const one = lookUp();
    const all = [one.find(scope(), ['a'], '')];
    await turn();
    const many = Array.from({ length: 17 }, (_, at) => `${at}`);
    all.push(one.find(scope(), many, ''), one.find(scope(), ['b'], ''));
    expect(statements.map(({ keys }) => keys)).toEqual([['a'], many]);
    for (const { end } of statements) end();
    await turn();
    expect(statements.at(-1)?.keys).toEqual(['b']);
    statements.at(-1)?.end();
    await Promise.all(all);
  });

  it('continues for the callers that stay until the last one leaves', async () => {
    const one = lookUp();
    const leaving = [new AbortController(), new AbortController()] as const;
    const [first, second] = leaving.map(({ signal }, i) =>
      one.find(scope({ signal, deadline: performance.now() + 1_000 * (i + 1) }), ['a'], ''),
    );
    await turn();
    const shared = (statements[0] as (typeof statements)[number]).scope.caller;
    expect(shared.deadline - performance.now()).toBeGreaterThan(1_500);
    leaving[0].abort(new ClientGoneError('left'));
    await expect(first).rejects.toThrow('left');
    expect(shared.signal.aborted).toBe(false);
    leaving[1].abort(new ClientGoneError('left too'));
    await expect(second).rejects.toThrow('left too');
    expect(shared.signal.aborted).toBe(true);
  });

  it('leaves out the keys of those who left before it was sent', async () => {
    const one = lookUp();
    const leaving = new AbortController();
    const left = one.find(scope({ signal: leaving.signal }), ['a'], '');
    const stays = one.find(scope(), ['b'], '');
    leaving.abort(new ClientGoneError('left'));
    await expect(left).rejects.toThrow('left');
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([['b']]);
    statements[0]?.end();
    expect((await stays).get('b')).toBe('found b');
  });

  it('takes no keys of those who have left before they ask, though the statement is full', async () => {
    const one = lookUp();
    const gone = scope({ signal: AbortSignal.abort(new ClientGoneError('gone')) });
    const keys = Array.from({ length: 16 }, (_, at) => `left ${at}`);
    const left = Promise.allSettled(Array.from({ length: 5 }, () => one.find(gone, keys, '')));
    const found = one.find(scope(), ['a'], '');
    await turn();
    expect((await left).every(({ status }) => status === 'rejected')).toBe(true);
    expect(statements.map((statement) => statement.keys)).toEqual([['a']]);
    statements[0]?.end();
    expect((await found).get('a')).toBe('found a');
  });

  it('reads each separately if the store refuses the shared statement, so that only one fails', async () => {
    const one = lookUp();
    const [good, bad] = ['good', 'bad'].map((key) => one.find(scope(), [key], ''));
    await turn();
    statements[0]?.end(new StoreError({ code: 158, type: 'TOO_MANY_ROWS', message: 'too many' }, FACTS));
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([['good', 'bad'], ['good'], ['bad']]);
    statements[1]?.end();
    statements[2]?.end(new StoreError({ code: 158, type: 'TOO_MANY_ROWS', message: 'too many' }, FACTS));
    expect((await good)?.get('good')).toBe('found good');
    await expect(bad).rejects.toThrow('TOO_MANY_ROWS');
  });

  it('reads each separately if all together are too much for one answer', async () => {
    const one = lookUp();
    const all = ['a', 'b'].map((key) => one.find(scope(), [key], ''));
    await turn();
    statements[0]?.end(new AnswerTooLargeError());
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b'], ['a'], ['b']]);
    for (const { end } of statements) end();
    await Promise.all(all);
  });

  it('fails for all if the store does not answer in time', async () => {
    const one = lookUp();
    const all = ['a', 'b'].map((key) => one.find(scope(), [key], ''));
    await turn();
    statements[0]?.end(
      new StoreTimeoutError({ code: 159, type: 'TIMEOUT_EXCEEDED', message: 'late' }, FACTS),
    );
    for (const found of all) await expect(found).rejects.toBeInstanceOf(StoreTimeoutError);
    expect(statements).toHaveLength(1);
  });
});
