import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { prepareStore } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { LogIdentity } from '../../../src/log/port.ts';
import { damagedSteps } from '../../../src/projections/base/verify/store-damage.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

const NETWORK = 'test_damaged_steps';
const IDENTITY: LogIdentity = {
  network: NETWORK,
  id: 'test',
  epochSize: 40,
  lanes: 1,
  facts: { continuity: 'chain' },
};
const route = 'test/damage';
const DATABASE = getDatabase(IDENTITY, BASE);
/** Nothing is in progress, nothing is in sealed files. */
const SETTLED = { open: '0', cold: '0' };

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore(NETWORK);
  await prepareStore(store.client, IDENTITY, [BASE]);
});
afterAll(() => store?.stop());

it.each([
  ['the long one first', [9, 0]],
  ['the short one first', [0, 9]],
])('a step is confirmed by each range that holds it: two that begin alike, %s', async (_name, lengths) => {
  const { client } = store;
  for (const table of ['confirmed', 'step_rows'])
    await client.command(`TRUNCATE TABLE ${DATABASE}.${table}`, { route });
  // So many that the order in which equal ones are found is not that of a short list.
  for (const more of lengths)
    await client.command(
      `INSERT INTO ${DATABASE}.confirmed (first, last, epoch, lane)
       SELECT number * 10 AS first, first + ${more}, 0, 0 FROM numbers(300)`,
      { route },
    );
  await client.command(
    `INSERT INTO ${DATABASE}.step_rows SELECT number, if(number = 55, map('transactions', 1), map()) FROM numbers(3001)`,
    { route },
  );
  const damaged = [55, 3000].map((step) => ({ first: step, last: step }));
  expect(await damagedSteps(client, DATABASE, 'chain', SETTLED)).toEqual(damaged);
});
