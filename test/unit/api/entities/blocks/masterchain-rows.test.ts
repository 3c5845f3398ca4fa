import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer } from '../../../../../src/api/serve-stage.ts';
import { type IndexedStore, openIndexedStore } from '../../../../helpers/indexed-store.ts';
import { recordedStatements } from '../../../../helpers/recorded-statements.ts';

let store: IndexedStore;
beforeAll(async () => {
  store = await openIndexedStore({ folders: [], visible: { first: 1, last: 3 } });
  const rows = [1, 2, 3].map(
    (seqno) => `(${seqno}, -1, 9223372036854775808, ${seqno}, ${1_700_000_000 + seqno})`,
  );
  await store.client.command(
    `INSERT INTO ${store.database}.land_blocks (mc_seqno, workchain, shard, seqno, gen_utime) VALUES ${rows}`,
    { route: 'test' },
  );
}, 300_000);
afterAll(() => store?.close());

it('masterchain blocks are read once: who asks for the ends again needs no statement, and one more for a new head', async () => {
  const recorded = recordedStatements();
  const app = await buildServer({ ...store.context, client: recorded.client(store.client) });
  const ends = async () => {
    const { first, last } = (await app.inject('/api/v3/masterchainInfo')).json();
    return [first.seqno, last.seqno];
  };
  store.show({ first: 1, last: 2 });
  expect(await ends()).toEqual([1, 2]);
  expect(recorded.take()).toHaveLength(1);
  expect(await ends()).toEqual([1, 2]);
  expect(recorded.take()).toEqual([]);
  // Another route, of the same block.
  expect((await app.inject('/api/v2/getMasterchainInfo')).json().result.last.seqno).toBe(2);
  expect(recorded.take().filter((sql) => sql.includes('.blocks'))).toEqual([]);
  store.show({ first: 1, last: 3 });
  expect(await ends()).toEqual([1, 3]);
  expect(recorded.take()).toHaveLength(1);
  await app.close();
});
