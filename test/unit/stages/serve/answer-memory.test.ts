import { describe, expect, it, vi } from 'vitest';
import { AnswerMemory } from '../../../../src/stages/serve/http/answer-memory.ts';

/** Counts how often it is asked for an answer of `size` bytes. */
function source(size = 10) {
  let made = 0;
  return {
    make: async () => Buffer.alloc(size, ++made),
    count: () => made,
  };
}

describe('remembered answers', () => {
  it('answers again from memory while the scope stands, and anew in the next one', async () => {
    const memory = new AnswerMemory(1000);
    const { make, count } = source();
    const first = await memory.answer('v1 1-9', '/a', make);
    expect(await memory.answer('v1 1-9', '/a', make)).toBe(first);
    expect(count()).toBe(1);
    expect(await memory.answer('v1 1-10', '/a', make)).not.toEqual(first);
    expect(count()).toBe(2);
  });

  it('makes one answer for all who ask at once', async () => {
    const memory = new AnswerMemory(1000);
    const { make, count } = source();
    await Promise.all([1, 2, 3].map(() => memory.answer('s', '/a', make)));
    expect(count()).toBe(1);
  });

  it('forgets what was asked for longest ago when the bytes are used up', async () => {
    const memory = new AnswerMemory(25);
    const { make, count } = source();
    await memory.answer('s', '/a', make);
    await memory.answer('s', '/b', make);
    await memory.answer('s', '/a', make);
    await memory.answer('s', '/c', make);
    expect(count()).toBe(3);
    await memory.answer('s', '/a', make);
    expect(count()).toBe(3);
    await memory.answer('s', '/b', make);
    expect(count()).toBe(4);
  });

  it('keeps no failure, and no answer of a scope that has passed meanwhile', async () => {
    const memory = new AnswerMemory(1000);
    const { make, count } = source();
    await expect(memory.answer('s', '/a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await memory.answer('s', '/a', make);
    expect(count()).toBe(1);
    const late = Promise.withResolvers<Buffer>();
    const waiting = memory.answer('s', '/late', () => late.promise);
    await memory.answer('t', '/a', make);
    late.resolve(Buffer.from('of s'));
    expect(`${await waiting}`).toBe('of s');
    expect(`${await memory.answer('t', '/late', async () => Buffer.from('of t'))}`).toBe('of t');
  });

  it('asks anew after a minute, though nothing else changed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const memory = new AnswerMemory(1000);
      const { make, count } = source();
      await memory.answer('s', '/a', make);
      vi.advanceTimersByTime(60_000);
      await memory.answer('s', '/a', make);
      expect(count()).toBe(1);
      vi.advanceTimersByTime(1);
      await memory.answer('s', '/a', make);
      expect(count()).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('remembers nothing where it may not', async () => {
    const memory = new AnswerMemory(0);
    const { make, count } = source();
    await memory.answer('s', '/a', make);
    await memory.answer('s', '/a', make);
    expect(count()).toBe(2);
  });
});
