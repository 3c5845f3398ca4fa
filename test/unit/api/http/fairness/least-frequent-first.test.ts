import { expect, it } from 'vitest';
import { LeastFrequentFirst } from '../../../../../src/api/http/fairness/least-frequent-first.ts';

const all = (queue: LeastFrequentFirst<{ client: string }>) => {
  const taken: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) taken.push(next.client);
  return taken.join('');
};

it('clients with fewer recent connections go first', () => {
  const queue = new LeastFrequentFirst<{ client: string }>();
  for (let at = 0; at < 5; at++) queue.add({ client: 'a' });
  queue.add({ client: 'b' });
  // The first of each are equals, and in their order.
  expect(all(queue)).toBe('abaaaa');
  queue.add({ client: 'a' });
  queue.add({ client: 'b' });
  expect(all(queue)).toBe('ba');
});

it('makes room for those who come less often only', () => {
  const queue = new LeastFrequentFirst<{ client: string }>();
  const busy = Array.from({ length: 9 }, () => ({ client: 'busy' }));
  for (const one of busy) queue.add(one);
  const [last, quiet] = [{ client: 'busy' }, { client: 'quiet' }];
  queue.add(last);
  expect(queue.takeBusier(last)).toBeUndefined();
  queue.add(quiet);
  // The oldest of those who came eight times and more.
  expect(queue.takeBusier(quiet)).toBe(busy[7]);
  queue.delete(busy[0]!);
  expect(queue.size).toBe(9);
});
