import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTransactions } from '../../src/api/entities/transactions/find.ts';
import { openScope } from '../../src/api/query/scope.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { resolveReads } from '../../src/api/version-vector.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { testCaller } from '../helpers/test-caller.ts';

describeWithData('newest and oldest transactions', (data) => {
  let store: IndexedStore;
  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [`${data}/blocks/mainnet-genesis-0001`],
      states: [-1, 0].map((id) => `${data}/accounts/states/mainnet_zerostate_${id}.boc`),
    });
  });
  afterAll(() => store?.close());

  const hashes = async (context: ServeContext, descending: boolean, offset: number) => {
    const scope = openScope(context, { route: 'test', reads: ['base'], caller: testCaller() });
    const rows = await readTransactions(scope, {}, { limit: 20, offset, descending });
    return rows.map(({ hash }) => hash);
  };

  it('are the same whatever the end of the list was when they were read before', async () => {
    const { last } = resolveReads(store.context.vector(), ['base']).visible;
    const range = (first: number, end: number) => ({ first, last: end });
    // The chain grows at its head, then downwards, and then much of it is gone.
    for (const visible of [range(20, 60), range(20, last), range(1, last), range(1, 30), range(5, 6)]) {
      store.show(visible);
      for (const descending of [true, false])
        for (const offset of [0, 7]) {
          const fresh = await hashes({ ...store.context }, descending, offset);
          expect(fresh.length, 'the range is too short for a page').toBeGreaterThan(0);
          expect(await hashes(store.context, descending, offset)).toEqual(fresh);
          expect(await hashes(store.context, descending, offset)).toEqual(fresh);
        }
    }
  });
});
