import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { prepareStore } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { LogIdentity } from '../../../src/log/port.ts';
import { BLOCK_CHECKS } from '../../../src/projections/base/verify/block-checks.ts';
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

/** Steps of three shard blocks and one masterchain block, each a million logical times and a second after the one before. */
const insertSteps = (change: string) =>
  store.client.command(
    `INSERT INTO ${DATABASE}.blocks (mc_seqno, workchain, shard, seqno, start_lt, end_lt, gen_utime)
     SELECT intDiv(number, 4) + 1 AS mc_seqno, if(number % 4 = 3, -1, 0), bitShiftLeft(1, 60) * (number % 4 + 1), mc_seqno,
       number * 1000000 AS start_lt, start_lt + 1000000 ${change}, 1700000000 + mc_seqno FROM numbers(40)`,
    { route },
  );

it.each([
  ['blocks follow each other', '', []],
  ['a shard block ends after its masterchain block begins', '+ if(number = 18, 1, 0)', [5]],
  ['a masterchain block ends after that of the next step begins', '+ if(number = 19, 3000001, 0)', [6]],
  ['a shard block ends far later', '+ if(number = 21, 9500000, 0)', [6, 7, 8]],
])('verify compares the logical times of steps: %s', async (_name, change, wanted) => {
  const { client } = store;
  await client.command(`TRUNCATE TABLE ${DATABASE}.blocks`, { route });
  await insertSteps(change);
  const { sql } = BLOCK_CHECKS.find(({ name }) => name === 'step-times')!;
  const { rows } = await client.queryRows<[string]>(sql, {
    route,
    params: { db: DATABASE, first: 1, last: 100 },
  });
  const steps = rows.map(([text]) => Number(/block (\d+)/.exec(text)![1]));
  expect(steps.toSorted((a, b) => a - b)).toEqual(wanted);
});
