import { expect, it } from 'vitest';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { readIndexFacts } from '../../../../src/projections/base/verify/index-facts.ts';

const IDENTITY = { network: 'n', id: 'a:b', epochSize: 10, lanes: 1, facts: {} };

/** A store that returns the lowest step of its blocks; ClickHouse gives 0 if there is none. */
const storeOf = (lowest: number) =>
  ({ queryRows: async () => ({ names: [], rows: [[lowest]], bytes: 0 }) }) as unknown as StoreClient;

it.each([
  [7, 7],
  // Only the zerostate came so far, which is no block: at step 0 none is missing, from step 1 on all are.
  [0, 1],
])('the lowest block %i: blocks are wanted from step %i on', async (lowest, firstStep) => {
  expect((await readIndexFacts(storeOf(lowest), 'db', IDENTITY)).firstStep).toBe(firstStep);
});
