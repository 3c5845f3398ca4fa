import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readVisible } from '../../src/engine/watermark/visible-span.ts';
import {
  type Generated,
  generatePacks,
  ZEROSTATE_FILES,
} from '../../src/localnet/generate/generate-packs.ts';
import { readIndexFacts } from '../../src/projections/base/verify/index-facts.ts';
import { runVerify } from '../../src/projections/base/verify/verify-stage.ts';
import { type InProcessIndex, indexInProcess } from '../helpers/index-in-process.ts';
import { openTestStore, type TestStore } from '../helpers/test-store.ts';

const NETWORK = 'synthetic_test';

describe('a synthetic set', () => {
  let folder: string;
  let store: TestStore;
  let made: Generated;
  let index: InProcessIndex;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-synthetic-'));
    const directory = join(folder, 'set');
    made = await generatePacks({ directory, transactions: 1_500, seed: 'e2e', shards: 2, synthetic: true });
    store = await openTestStore(NETWORK);
    index = await indexInProcess(store.client, {
      source: `archive:${directory}`,
      state: ZEROSTATE_FILES.map((name) => join(directory, name)),
      network: NETWORK,
    });
  });
  afterAll(async () => {
    await store?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is indexed whole, without a dead letter', () => {
    expect(made.transactions).toBeGreaterThanOrEqual(1_500);
    expect(index.summary).toMatchObject({
      blocks: made.blocks,
      transactions: made.transactions,
      dead_letters: 0,
    });
  });

  it('passes every check of verify', async () => {
    const { client } = store;
    const { database, identity } = index;
    const visible = await readVisible(client, database, identity.facts.continuity);
    expect(visible).toEqual({ first: 0, last: made.mcSeqno });
    const facts = await readIndexFacts(client, database, identity);
    const { signal } = new AbortController();
    const results = await runVerify({ client, database, visible: visible!, facts, onProgress() {}, signal });
    expect(results.filter(({ problems, skipped }) => problems > 0 || skipped)).toEqual([]);
  });
});
