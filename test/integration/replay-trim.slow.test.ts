import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { openDeadLetters } from '../../src/engine/dead-letters/dead-letter-list.ts';
import { buildDeadLetter } from '../../src/engine/dead-letters/dead-letter-sink.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { storeStates } from '../../src/engine/replay/state-table.ts';
import { headEpoch, trimStoredEpochs } from '../../src/engine/retention/trim-log.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import {
  indexVersion,
  NEWER_CODE,
  openReplayStore,
  quietRun,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const TOPIC = 'raw-blocks';

/** A few seconds on a quiet machine. */
const SLOW_MS = 600_000;

describeWithData('a log whose blocks are in the store', (data) => {
  let server: TestServer;
  let store: ReplayStore;

  beforeAll(async () => {
    server = await startTestServer();
    const source = `archive:${data}/blocks/packs`;
    store = await openReplayStore({ client: server.client, source, epochSize: 20, code: NEWER_CODE });
    await indexVersion(store, 1, NEWER_CODE);
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const { signal } = new AbortController();
  const kept = async () => {
    const epochs = new Set<number>();
    for (const { lane, first, next } of await store.parts.bus.bounds(TOPIC)) {
      for (let at = first; at < next; ) {
        const records = await store.parts.bus.read(TOPIC, lane, at, { records: 500, bytes: 16 << 20 });
        for (const { epoch } of records) epochs.add(epoch);
        at = (records.at(-1)?.offset ?? next) + 1;
      }
    }
    return [...epochs].sort((a, b) => a - b);
  };

  it(
    'keeps an epoch, and those above, of which the store lacks a block',
    async () => {
      const { client } = server;
      await client.command(
        `DELETE FROM ${getDatabase(store.identity, BASE)}.raw_blocks WHERE workchain = -1 AND seqno = 50`,
        { route: 'test', settings: { lightweight_deletes_sync: 2 } },
      );
      const head = (await headEpoch(store.parts)) ?? 0;
      expect(head).toBe(4);
      expect(await trimStoredEpochs(store.parts, head, signal)).toEqual([0, 1]);
      expect(await kept()).toEqual([2, 3, 4]);
    },
    SLOW_MS,
  );

  it(
    'is short, and a replay gives the same rows without it; the missing block comes from its dead letter',
    async () => {
      const { bus } = store.parts;
      const [lane, offset] = await placeOf(50);
      const [record] = (await bus.read(TOPIC, lane, offset, { records: 1, bytes: 1 })).filter(
        (one) => one.offset === offset,
      );
      if (!record) throw new Error('the log has no such record');
      const failure = { code: 'test', message: 'refused by the decoder of before' };
      await bus.put('dead-letters', buildDeadLetter('decode', TOPIC, record, failure));
      const before = await versionPicture(server.client, getDatabase(store.identity, BASE));
      const order = { range: { from: null, to: null }, accept: async () => true };
      const parts = { ...store.parts, owner: 'replay' };
      await runReplay(quietRun(parts, store.session('replay')), order);
      const after = await versionPicture(server.client, getDatabase(store.identity, BASE, 2));
      expect(after.raw_blocks?.length).toBe((before.raw_blocks?.length ?? 0) + 1);
      expect({ ...after, raw_blocks: [] }).toEqual({ ...before, raw_blocks: [] });
      expect(await openDeadLetters(bus)).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    'keeps start states next to the blocks, byte for byte',
    async () => {
      const { client } = server;
      const value = Uint8Array.from({ length: 70_000 }, (_, i) => i % 251);
      const place = { lane: 0, offset: 0, epoch: 0, endsStep: true, appendedAt: 0 };
      const state = {
        ...place,
        position: 7,
        key: '(0,8000000000000000,7)',
        headers: { root_hash: 'ab' },
        value,
      };
      const states = [state, { ...state, key: '(-1,8000000000000000,7)' }];
      await storeStates(client, store.identity.network, states, 'test');
      const { rows } = await client.queryRows<[number, string, string, string]>(
        `SELECT position, key, root_hash, base64Encode(value) FROM ${store.identity.network}.raw_states ORDER BY key`,
        { route: 'test' },
      );
      const text = Buffer.from(value).toString('base64');
      expect(rows).toEqual([
        [7, '(-1,8000000000000000,7)', 'ab', text],
        [7, '(0,8000000000000000,7)', 'ab', text],
      ]);
    },
    SLOW_MS,
  );

  async function placeOf(seqno: number): Promise<readonly [number, number]> {
    for (const { lane, first, next } of await store.parts.bus.bounds(TOPIC)) {
      for (let at = first; at < next; ) {
        const records = await store.parts.bus.read(TOPIC, lane, at, { records: 500, bytes: 16 << 20 });
        const found = records.find(({ key }) => key === `(-1,8000000000000000,${seqno})`);
        if (found) return [lane, found.offset];
        at = (records.at(-1)?.offset ?? next) + 1;
      }
    }
    throw new Error(`the log has no masterchain block ${seqno}`);
  }
});
