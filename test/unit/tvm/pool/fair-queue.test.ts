import { describe, expect, it } from 'vitest';
import { FairQueue, type Place } from '../../../../src/tvm/pool/fair-queue.ts';
import { RecentTime } from '../../../../src/tvm/pool/recent-time.ts';

const LIMITS = { maxCalls: 10, maxCallsOfClient: 6, maxBytes: 1_000 };
const place = (client: string, group = 'x', bytes = 1): Place => ({ client, group, work: '', bytes });
const all = () => true;

function taken(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.take(all); item !== null; item = queue.take(all)) items.push(item);
  return items;
}

describe('queue of calls', () => {
  it('lets clients take turns, and what each asks of', () => {
    const queue = new FairQueue<string>(LIMITS);
    for (const item of ['a1', 'a2', 'a3']) queue.add(item, place('a'));
    queue.add('a4', place('a', 'other'));
    queue.add('b1', place('b'));
    queue.add('b2', place('b'));
    expect(taken(queue)).toEqual(['a1', 'b1', 'a4', 'b2', 'a2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('gives turns by the time that was used, to clients and to what each asks of', () => {
    let now = 0;
    const queue = new FairQueue<string>(LIMITS, new RecentTime(() => now));
    const ask = () => {
      for (const item of ['a1', 'a2', 'a3']) queue.add(item, place('a'));
      queue.add('a4', place('a', 'other'));
      for (const item of ['b1', 'b2', 'b3']) queue.add(item, place('b'));
    };
    queue.spent(place('a'), 1_000);
    queue.spent(place('b'), 10);
    ask();
    expect(taken(queue)).toEqual(['b1', 'b2', 'b3', 'a4', 'a1', 'a2', 'a3']);
    // Ten minutes later it is forgotten.
    now = 600_000;
    queue.spent(place('b'), 10);
    ask();
    expect(taken(queue).slice(0, 4)).toEqual(['a4', 'a1', 'a2', 'a3']);
  });

  it('leaves out who may not start', () => {
    const queue = new FairQueue<string>(LIMITS);
    queue.add('a1', place('a'));
    queue.add('b1', place('b'));
    expect(queue.take(({ client }) => client === 'b')).toBe('b1');
    expect(queue.take(({ client }) => client === 'b')).toBe(null);
    expect(queue.take(all)).toBe('a1');
  });

  it('refuses the newest of who has the most: of a client, and of all', () => {
    const queue = new FairQueue<string>(LIMITS);
    for (let i = 0; i < 6; i++) expect(queue.add(`a${i}`, place('a'))).toEqual([]);
    expect(queue.add('a6', place('a'))).toEqual(['a6']);
    // One that asks of something else has its place, at the cost of the flood.
    expect(queue.add('other', place('a', 'other'))).toEqual(['a5']);
    for (let i = 0; i < 4; i++) expect(queue.add(`b${i}`, place('b'))).toEqual([]);
    expect(queue.add('c0', place('c'))).toEqual(['a4']);
    expect(queue.size).toBe(10);
    expect(taken(queue).slice(0, 3)).toEqual(['a0', 'b0', 'c0']);
  });

  it('counts bytes, and forgets those that left', () => {
    const queue = new FairQueue<string>(LIMITS);
    queue.add('a0', place('a', 'x', 600));
    expect(queue.add('b0', place('b', 'x', 600))).toEqual(['a0']);
    queue.remove('b0');
    queue.remove('b0');
    expect(queue.add('c0', place('c', 'x', 900))).toEqual([]);
    expect(queue.drain()).toEqual(['c0']);
    expect(queue.take(all)).toBe(null);
  });
});
