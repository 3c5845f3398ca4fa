import { expect, it } from 'vitest';
import type { TableProjection } from '../../../../src/engine/projection/projection.ts';
import { neededStore } from '../../../../src/engine/versions/needed-store.ts';
import { ConfirmedNews } from '../../../../src/engine/watermark/confirmed-news.ts';
import type { LogIdentity } from '../../../../src/log/port.ts';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import type { QueryOptions } from '../../../../src/platform/clickhouse/client-options.ts';

const identity = { network: 'testnet' } as LogIdentity;
const base = { name: 'base', order: 'epoch' } as TableProjection;
const projection = { name: 'actions', needs: [base] } as unknown as TableProjection;

/** A store of which only the confirmed ranges are asked, and how often they were. */
function storeOf(confirmed: { last: number }) {
  const asked = { times: 0, databases: new Set<string>() };
  const queryRows = async (sql: string, { params }: QueryOptions) => {
    asked.times++;
    asked.databases.add(/FROM (\w+)\.confirmed/.exec(sql)?.[1] ?? '');
    const row = [1, confirmed.last];
    // A look behind what is known, or the first one.
    return {
      names: [],
      rows: params
        ? [
            ['above', ...row],
            ['highest', ...row],
          ]
        : [row],
    };
  };
  return { asked, client: { queryRows } as unknown as StoreClient };
}

it('the store is asked again when this process has confirmed what is waited for, and not before', async () => {
  const confirmed = { last: 4 };
  const { asked, client } = storeOf(confirmed);
  const news = new ConfirmedNews();
  const pointers = { of: async () => ({ version: 3 }) };
  const needed = neededStore({ client, identity, projection, news, pointers });
  news.tell('base', 4);
  await needed.whenConfirmed('base', 4);
  expect(asked.times).toBe(1);
  let isDone = false;
  const waiting = needed.whenConfirmed('base', 6).then(() => {
    isDone = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([isDone, asked.times]).toEqual([false, 1]);
  confirmed.last = 6;
  news.tell('base', 6);
  await waiting;
  expect(asked.times).toBe(2);
  expect([...asked.databases]).toEqual(['testnet_base_v3']);
});

it('what another process writes is looked for until it is there', async () => {
  const confirmed = { last: 4 };
  const { client } = storeOf(confirmed);
  const pointers = { of: async () => ({ version: null }) };
  const needed = neededStore({ client, identity, projection, news: new ConfirmedNews(), pointers });
  const waiting = needed.whenConfirmed('base', 6);
  confirmed.last = 6;
  await waiting;
});
