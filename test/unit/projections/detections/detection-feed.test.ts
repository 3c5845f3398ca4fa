import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../../../pipelines/base.ts';
import { CONTRACTS } from '../../../../pipelines/contracts.ts';
import { DETECTIONS } from '../../../../pipelines/projections.ts';
import { prepareStore } from '../../../../src/engine/versions/prepare-store.ts';
import { AvroCodec } from '../../../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../../src/platform/avro/schema-files.ts';
import { versionDatabase } from '../../../../src/platform/clickhouse/migrations/database-names.ts';
import { CellsNotReadError, type FindCells } from '../../../../src/projections/detections/code-search.ts';
import {
  DetectionFeed,
  type DetectionSources,
} from '../../../../src/projections/detections/detection-feed.ts';
import { SCHEMAS } from '../../../../src/projections/records/schemas.ts';
import { openTestStore, type TestStore } from '../../../helpers/test-store.ts';

const NETWORK = 'feed_test';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore(NETWORK);
  const identity = { network: NETWORK, id: 'none', epochSize: 10, lanes: 4, facts: {} };
  await prepareStore(store.client, identity, [BASE, CONTRACTS, DETECTIONS]);
}, 300_000);
afterAll(() => store?.stop());

const of = (projection: string) => versionDatabase(NETWORK, projection, 1);

function createFeed({
  steps,
  first,
  findCells = async () => new Map(),
}: Pick<DetectionSources, 'steps' | 'first'> & { readonly findCells?: FindCells }): DetectionFeed {
  return new DetectionFeed({
    client: store.client,
    network: NETWORK,
    sources: () => ({ states: of('base'), steps, first, detections: of('detections') }),
    tail: async () => -1,
    detectToken: () => expect.unreachable(),
    detectContract: () => expect.unreachable(),
    findCells,
  });
}

/** Steps 7 to 9 that have a record now. */
async function readSteps(feed: DetectionFeed): Promise<readonly number[]> {
  const encoding = {
    codec: new AvroCodec(loadSchemas(SCHEMAS)),
    network: NETWORK,
    signal: new AbortController().signal,
  };
  const contracts = { client: store.client, database: of('contracts') };
  return [...(await feed.records(contracts, { first: 7, last: 9 }, encoding)).keys()];
}

it.each([
  ['has none of the steps', { first: 40, last: 41 }, 0, []],
  ['lacks the last step', { first: 0, last: 8 }, 0, []],
  ['lacks earlier steps', { first: 5, last: 41 }, 0, []],
  ['has every step', { first: 0, last: 41 }, 0, [7, 8, 9]],
  ['begins before contracts', { first: 0, last: 9 }, 5, [7, 8, 9]],
])(
  'if base %s of contracts, a range has its records only when nothing is missing',
  async (_, steps, first, expected) => {
    const feed = createFeed({ steps, first });
    expect(await readSteps(feed)).toEqual(expected);
  },
);

it('the last step waits while the store has too much work to read the cells of a code', async () => {
  await store.client.command(
    `INSERT INTO ${of('base')}.accounts_latest (mc_seqno, account, status, code_hash)
     VALUES (8, '${'a'.repeat(32)}', 'active', '${'c'.repeat(32)}')`,
    { route: 'test' },
  );
  let isBusy = true;
  const feed = createFeed({
    steps: { first: 0, last: 41 },
    first: 0,
    findCells: async (hashes) => {
      if (isBusy) throw new CellsNotReadError(hashes.length, null);
      return new Map();
    },
  });
  expect(await readSteps(feed)).toEqual([7, 8]);
  isBusy = false;
  await expect.poll(() => readSteps(feed), { timeout: 60_000 }).toEqual([7, 8, 9]);
});
