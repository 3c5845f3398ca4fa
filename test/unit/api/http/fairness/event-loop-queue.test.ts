import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EventLoopQueue } from '../../../../../src/api/http/fairness/event-loop-queue.ts';

it('does one piece of work a turn of the event loop, in the order in which they came', async () => {
  const turns = new EventLoopQueue();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) turns.take(() => done.push(name));
  expect(done).toEqual([]);
  const seen: string[] = [];
  for (let at = 0; at < 4; at++) {
    await turn();
    seen.push(done.join(''));
  }
  expect(seen).toEqual(['a', 'ab', 'abc', 'abc']);
});

it('continues after work that threw, and starts again after a pause', async () => {
  const turns = new EventLoopQueue();
  const thrown: unknown[] = [];
  const onThrow = (error: unknown) => void thrown.push(error);
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', onThrow);
  const done: string[] = [];
  try {
    turns.take(() => {
      throw new Error('this one');
    });
    turns.take(() => done.push('next'));
    await turn();
    await turn();
    await turn();
  } finally {
    process.off('uncaughtException', onThrow);
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
  expect(thrown).toHaveLength(1);
  expect(done).toEqual(['next']);
  turns.take(() => done.push('later'));
  await turn();
  expect(done).toEqual(['next', 'later']);
});
