import { describe, expect, it } from 'vitest';
import type { ReadScope } from '../../../../src/api/query/scope.ts';
import { CachedChanges } from '../../../../src/api/streaming/cached-changes.ts';
import type { Steps } from '../../../../src/api/streaming/step-changes.ts';

const scopeOf = (database: string) => ({ databases: { traces: database } }) as unknown as ReadScope<'traces'>;
const scope = scopeOf('traces_test');

/** Changes with two in each step, and the steps that were read for them. */
function changes(fails = () => false) {
  const read: string[] = [];
  const kept = new CachedChanges(
    'traces',
    async ({ databases }: ReadScope<'traces'>, { first, last }: Steps) => {
      read.push(`${databases.traces} ${first}-${last}`);
      if (fails()) throw new Error('the store is away');
      const seqnos = Array.from({ length: last - first + 1 }, (_, at) => first + at);
      return seqnos.flatMap((seqno) => ['a', 'b'].map((name) => ({ seqno, name })));
    },
  );
  const names = async (first: number, last: number, of = scope) =>
    (await kept.read(of, { first, last })).map(({ seqno, name }) => `${seqno}${name}`).join(' ');
  return { read, names };
}

describe('kept changes of steps', () => {
  it('are read once, however the steps are cut', async () => {
    const { read, names } = changes();
    expect(await names(4, 6)).toBe('4a 4b 5a 5b 6a 6b');
    expect(await names(5, 5)).toBe('5a 5b');
    expect(await names(5, 6)).toBe('5a 5b 6a 6b');
    expect(read).toEqual(['traces_test 4-6']);
  });

  it('are put together from lists that were read apart', async () => {
    const { read, names } = changes();
    await names(4, 4);
    await names(5, 6);
    expect(await names(4, 8)).toBe('4a 4b 5a 5b 6a 6b 7a 7b 8a 8b');
    expect(await names(3, 4)).toBe('3a 3b 4a 4b');
    expect(read).toEqual(['traces_test 4-4', 'traces_test 5-6', 'traces_test 7-8', 'traces_test 3-4']);
  });

  it('of one database are separate from those of another', async () => {
    const { read, names } = changes();
    await names(4, 4);
    await names(4, 4, scopeOf('other_test'));
    expect(read).toEqual(['traces_test 4-4', 'other_test 4-4']);
  });

  it('that could not be read are read again', async () => {
    let failures = 1;
    const { read, names } = changes(() => failures-- > 0);
    await expect(names(4, 4)).rejects.toThrow('the store is away');
    expect(await names(4, 4)).toBe('4a 4b');
    expect(read).toHaveLength(2);
  });
});
