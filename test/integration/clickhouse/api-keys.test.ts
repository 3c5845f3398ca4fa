import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiKey, newKey } from '../../../src/api/keys/api-key.ts';
import { readKeys, writeKey } from '../../../src/api/keys/key-records.ts';
import { KeyRing } from '../../../src/api/keys/key-ring.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

/* API keys in a real store: written keys are read, the newest row counts, and only hashes are kept. */

const NETWORK = 'keys_test';
let store: TestStore;

beforeAll(async () => {
  store = await openTestStore(NETWORK);
  const directory = resolve(import.meta.dirname, '../../../clickhouse');
  await migrate(store.client, { network: NETWORK, projection: 'base', version: 1, directory, epochSize: 40 });
});
afterAll(() => store.stop());

function made(name: string, facts: Partial<ApiKey> = {}) {
  const { id, hash, text } = newKey(NETWORK);
  const key: ApiKey = {
    ...{ id, name, hash, requestsPerSecond: 10, createdAt: 1_700_000_000, expiresAt: null, isRevoked: false },
    ...facts,
  };
  return { key, text };
}

it('keys are read as they were written, oldest first; a revoked one stays in the list and opens nothing', async () => {
  const first = made("o'neil; DROP", { expiresAt: 4_000_000_000 });
  const second = made('second', { createdAt: 1_700_000_001, requestsPerSecond: 0 });
  for (const { key } of [second, first]) await writeKey(store.client, NETWORK, key);
  expect(await readKeys(store.client, NETWORK)).toEqual([first.key, second.key]);

  const log = { warn: () => expect.unreachable('the keys can be read') };
  const ring = new KeyRing({ network: NETWORK, read: () => readKeys(store.client, NETWORK), log });
  await ring.start();
  expect(ring.find(first.text, 1_800_000_000)).toEqual({ state: 'known', key: first.key });
  await writeKey(store.client, NETWORK, { ...first.key, isRevoked: true });
  await expect
    .poll(() => ring.find(first.text, 1_800_000_000), { timeout: 60_000 })
    .toEqual({ state: 'unknown' });
  expect(ring.find(second.text, 1_800_000_000)).toEqual({ state: 'known', key: second.key });
  ring.close();
  expect((await readKeys(store.client, NETWORK)).map((key) => key.isRevoked)).toEqual([true, false]);
  const dump = await store.client.queryText(`SELECT * FROM secrets_${NETWORK}.api_keys FORMAT JSONEachRow`, {
    route: 'test',
  });
  expect(dump).not.toContain(first.text.split('.').at(-1));
}, 300_000);
