import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { isLarge, LARGE_ROWS, makeInTurn } from '../../../../src/api/query/large-answers.ts';
import type { ReadScope } from '../../../../src/api/query/scope.ts';
import type { ServeContext } from '../../../../src/api/serve-context.ts';

const AT_ONCE = Math.max(2, Math.floor(availableParallelism() / 2));

function scopesOf(context: ServeContext) {
  return (client: string) =>
    ({
      context,
      caller: {
        client,
        signal: new AbortController().signal,
        deadline: performance.now() + 600_000,
        readOnly: true,
      },
    }) as Pick<ReadScope, 'context' | 'caller'>;
}

it('makes a few large answers at a time, clients in turn, and small ones immediately', async () => {
  const context = { settings: { maxLimit: 1_000 } } as ServeContext;
  const scopeOf = scopesOf(context);
  const begun: string[] = [];
  const gates: (() => void)[] = [];
  const ask = (client: string, rows: number) =>
    makeInTurn({ ...scopeOf(client), isHeavy: isLarge(context, rows) }, async () => {
      begun.push(client);
      await new Promise<void>((resolve) => gates.push(resolve));
    });
  const first = Array.from({ length: AT_ONCE }, () => ask('a', 1_000));
  const waiting = ['a', 'a', 'b'].map((client) => ask(client, LARGE_ROWS + 1));
  // As many as there may be in a small answer; more than there may be at all is refused, which costs nothing.
  const small = [ask('c', LARGE_ROWS), ask('d', 1_001)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual([...Array.from({ length: AT_ONCE }, () => 'a'), 'c', 'd']);
  const all = Promise.all([...first, ...waiting, ...small]);
  const isOver = () => begun.length === AT_ONCE + 5 && gates.length === 0;
  while (!isOver()) {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  expect(begun.slice(-3)).toEqual(['a', 'b', 'a']);
});

it('gives the place of one that failed to the next', async () => {
  const scope = { ...scopesOf({} as ServeContext)('a'), isHeavy: true };
  const fails = Array.from({ length: 3 * AT_ONCE }, () =>
    makeInTurn(scope, () => Promise.reject(new Error('no'))),
  );
  for (const outcome of await Promise.allSettled(fails)) expect(outcome.status).toBe('rejected');
  expect(await makeInTurn(scope, async () => 'made')).toBe('made');
});
