import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../../src/api/caller.ts';
import { ResponseCache } from '../../../../../src/api/http/caching/response-cache.ts';
import { ClientGoneError, DeadlineError } from '../../../../../src/api/http/errors/caller-errors.ts';
import { testCaller } from '../../../../helpers/test-caller.ts';

/** Counts how often it is asked for an answer of `size` bytes. */
function source(size = 10) {
  let made = 0;
  return {
    make: async () => Buffer.alloc(size, ++made),
    count: () => made,
  };
}

const caller = testCaller();
/** Cost of an entry in addition to its body, bytes: a key of one character, and the constant of the cache. */
const ENTRY = 513;

describe('the response cache', () => {
  it('answers from the cache, and makes a new answer for another key', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000 });
    const { make, count } = source();
    const first = await cache.body('a', caller, make);
    expect(await cache.body('a', caller, make)).toEqual(first);
    expect(count()).toBe(1);
    expect(await cache.body('b', caller, make)).not.toEqual(first);
    expect(count()).toBe(2);
  });

  it('drops the least recently used entry when the bytes are used up', async () => {
    const cache = new ResponseCache({ maxBytes: 2 * (10 + ENTRY) });
    const { make, count } = source();
    for (const key of ['a', 'b', 'a', 'c']) await cache.body(key, caller, make);
    expect(count()).toBe(3);
    await cache.body('a', caller, make);
    expect(count()).toBe(3);
    await cache.body('b', caller, make);
    expect(count()).toBe(4);
  });

  it('counts the bytes of keys and entries, not only of bodies', async () => {
    const cache = new ResponseCache({ maxBytes: 100_000 });
    for (let i = 0; i < 1000; i++) await cache.body(`${i}`.padEnd(1_000), caller, source(1).make);
    expect(cache.bytes).toBeGreaterThan(50_000);
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
    expect(cache.bytes).toBe(Math.floor(100_000 / 1_513) * 1_513);
  });

  it('bounds the number of entries', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000_000, maxEntries: 3 });
    const { make } = source(10);
    for (let i = 0; i < 9; i++) await cache.body(`${i}`, caller, make);
    expect(cache.bytes).toBe(3 * (10 + ENTRY));
  });

  it('keeps a short body without the slab that it was made in', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000 });
    const slab = Buffer.alloc(100_000);
    await cache.body('a', caller, async () => slab.subarray(0, 10));
    const kept = await cache.body('a', caller, source().make);
    expect(kept.buffer.byteLength).toBe(10);
  });

  it('caches no failure', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000 });
    const { make, count } = source();
    const fail = () => Promise.reject(new Error('no'));
    await expect(cache.body('a', caller, fail)).rejects.toThrow('no');
    await cache.body('a', caller, make);
    expect(count()).toBe(1);
  });

  it('lets entries expire after a minute, though nothing else changed', async () => {
    let now = 1_000;
    const cache = new ResponseCache({ maxBytes: 10_000, now: () => now });
    const { make, count } = source();
    await cache.body('a', caller, make);
    now += 60_000;
    await cache.body('a', caller, make);
    expect(count()).toBe(1);
    now += 1;
    await cache.body('a', caller, make);
    expect(count()).toBe(2);
  });

  it('caches nothing if it may not', async () => {
    const cache = new ResponseCache({ maxBytes: 0 });
    const { make, count } = source();
    await cache.body('a', caller, make);
    await cache.body('a', caller, make);
    expect(count()).toBe(2);
  });
});

describe('requests for the same key at the same time', () => {
  /** Answers on request; records its callers. */
  function slow() {
    const made: Caller[] = [];
    const done: PromiseWithResolvers<Buffer>[] = [];
    const make = (shared: Caller) => {
      made.push(shared);
      const one = Promise.withResolvers<Buffer>();
      done.push(one);
      shared.signal.addEventListener('abort', () => one.reject(shared.signal.reason));
      return one.promise;
    };
    return { make, made, done };
  }
  const leaving = () => {
    const controller = new AbortController();
    return { caller: testCaller({ signal: controller.signal }), leave: controller };
  };

  it('share one answer', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000 });
    const { make, count } = source();
    await Promise.all([1, 2, 3].map(() => cache.body('a', caller, make)));
    expect(count()).toBe(1);
  });

  it('continues for the others after the first caller leaves', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000 });
    const { make, made, done } = slow();
    const first = leaving();
    const gone = cache.body('a', first.caller, make);
    const stays = cache.body('a', caller, make);
    first.leave.abort(new ClientGoneError('gone'));
    await expect(gone).rejects.toThrow(ClientGoneError);
    expect(made[0]?.signal.aborted).toBe(false);
    done[0]?.resolve(Buffer.from('made'));
    expect(`${await stays}`).toBe('made');
    expect(made.length).toBe(1);
  });

  it('ends the work if no caller waits any more, and starts again for the next caller', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000 });
    const { make, made, done } = slow();
    const [one, two] = [leaving(), leaving()];
    const waits = [one, two].map(({ caller }) => cache.body('a', caller, make));
    one.leave.abort(new ClientGoneError('gone'));
    two.leave.abort(new ClientGoneError('gone'));
    for (const wait of waits) await expect(wait).rejects.toThrow(ClientGoneError);
    expect(made[0]?.signal.aborted).toBe(true);
    const late = cache.body('a', caller, make);
    expect(made.length).toBe(2);
    done[1]?.resolve(Buffer.from('new'));
    expect(`${await late}`).toBe('new');
  });

  it('makes its own answer if the time of the first caller was up', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000 });
    const { make, made, done } = slow();
    const first = cache.body('a', caller, make);
    const second = cache.body('a', testCaller(), make);
    done[0]?.reject(new DeadlineError('late'));
    await expect(first).rejects.toThrow(DeadlineError);
    await expect.poll(() => made.length).toBe(2);
    done[1]?.resolve(Buffer.from('own'));
    expect(`${await second}`).toBe('own');
  });

  it('are not shared beyond a bound', async () => {
    const cache = new ResponseCache({ maxBytes: 10_000, maxFlights: 2 });
    const { make, made, done } = slow();
    const waits = ['a', 'b', 'c', 'c'].map((key) => cache.body(key, caller, make));
    expect(made.length).toBe(4);
    for (const one of done) one.resolve(Buffer.from('made'));
    expect((await Promise.all(waits)).map(String)).toEqual(['made', 'made', 'made', 'made']);
  });
});
