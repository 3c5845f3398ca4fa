import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStoreClient } from '../../../src/platform/clickhouse/client.ts';
import { encodeNativeBlock } from '../../../src/platform/clickhouse/native-format.ts';
import {
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../../src/platform/clickhouse/store-errors.ts';
import { isRetriable } from '../../../src/platform/errors/error-outcome.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

let store: TestServer;
beforeAll(async () => {
  store = await startTestServer();
});
afterAll(() => store?.stop());

const route = 'test/client';

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('expected a rejection'),
    (error: unknown) => error,
  );
}

describe('answers', () => {
  it('gives rows as arrays and as objects, wide integers as strings', async () => {
    const sql =
      'SELECT toUInt32(1) AS small, toUInt64(18446744073709551615) AS wide, toUInt256(7) AS wider, NULL AS none';
    const { names, rows } = await store.client.queryRows(sql, { route });
    expect(names).toEqual(['small', 'wide', 'wider', 'none']);
    expect(rows).toEqual([[1, '18446744073709551615', '7', null]]);
    expect(await store.client.queryObjects(sql, { route })).toEqual([
      { small: 1, wide: '18446744073709551615', wider: '7', none: null },
    ]);
  });

  it('passes on an answer as it arrives, with its number of rows, and never begins one that fails', async () => {
    const rows = 3_000_000;
    const sql = `SELECT number FROM numbers(${rows}) FORMAT RowBinary`;
    const limits = { maxRows: 0, timeoutMs: 0 };
    const answer = await store.client.queryStream(sql, { route, ...limits });
    let bytes = 0;
    for await (const part of answer.body) bytes += (part as Buffer).length;
    expect([answer.rows, bytes]).toEqual([rows, rows * 8]);
    const late = `SELECT throwIf(number = ${rows - 1}) FROM numbers(${rows}) FORMAT RowBinary`;
    await expect(store.client.queryStream(late, { route, ...limits })).rejects.toMatchObject({ code: 395 });
  });

  it('ends a stream when its signal aborts', async () => {
    const abort = new AbortController();
    const sql = 'SELECT number FROM numbers(3000000) FORMAT RowBinary';
    const answer = await store.client.queryStream(sql, { route, maxRows: 0, signal: abort.signal });
    const reading = answer.body.forEach(() => {
      abort.abort(new Error('enough'));
    });
    await expect(reading).rejects.toThrow('enough');
  });

  it('binds parameters by name and type', async () => {
    const sql = 'SELECT {text:String} AS text, {big:UInt128} AS big, {list:Array(UInt64)} AS list';
    const params = { text: `it's "\\ a\tb`, big: 2n ** 100n, list: [1n, 2n ** 63n] };
    const { rows } = await store.client.queryRows(sql, { route, params });
    expect(rows).toEqual([[params.text, (2n ** 100n).toString(), ['1', (2n ** 63n).toString()]]]);
  });

  it('takes long lists as parameters', async () => {
    const hashes = Array.from({ length: 40_000 }, (_, i) => i.toString(16).padStart(64, '0'));
    const sql = 'SELECT length({hashes:Array(String)}), {hashes:Array(String)}[-1]';
    const { rows } = await store.client.queryRows(sql, { route, params: { hashes } });
    expect(rows).toEqual([['40000', hashes.at(-1)]]);
  });

  it('gives bodies as text and as bytes', async () => {
    expect(await store.client.queryText('SELECT 1, 2 FORMAT TSV', { route })).toBe('1\t2\n');
    const bytes = await store.client.queryBytes("SELECT unhex('00ff80')::FixedString(3) FORMAT RowBinary", {
      route,
    });
    expect(bytes).toEqual(Buffer.from([0x00, 0xff, 0x80]));
  });

  it('names the route in log_comment', async () => {
    const sql = "SELECT value FROM system.settings WHERE name = 'log_comment'";
    expect((await store.client.queryRows(sql, { route: 'v3/somewhere' })).rows).toEqual([['v3/somewhere']]);
  });

  it('serves more requests at the same time than it has connections', async () => {
    const client = createStoreClient({ ...store.connection, maxConnections: 4 });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => client.queryRows(`SELECT ${i}`, { route })),
    );
    expect(answers.map((answer) => answer.rows[0]?.[0])).toEqual(Array.from({ length: 100 }, (_, i) => i));
    await client.close();
  });
});

describe('limits and errors', () => {
  it('types an error of the server by its code', async () => {
    const error = await failure(
      store.client.queryRows('SELECT * FROM nowhere_at_all', { route, queryId: 'q-1' }),
    );
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: 60, type: 'UNKNOWN_TABLE', route, queryId: 'q-1' });
    expect(isRetriable(error)).toBe(false);
  });

  it('cuts a slow query off at its time limit', async () => {
    const error = await failure(
      store.client.queryRows('SELECT sleepEachRow(0.01) FROM numbers(1000) SETTINGS max_block_size = 1', {
        route,
        timeoutMs: 200,
      }),
    );
    expect(error).toBeInstanceOf(StoreTimeoutError);
    expect(error).toMatchObject({ code: 159 });
  });

  it('refuses results beyond the row limit, and never cuts them', async () => {
    const sql = 'SELECT number FROM numbers(1001)';
    const error = await failure(store.client.queryRows(sql, { route, maxRows: 1000 }));
    expect(error).toMatchObject({ code: 396, type: 'TOO_MANY_ROWS_OR_BYTES' });
    expect((await store.client.queryRows(sql, { route, maxRows: 1001 })).rows).toHaveLength(1001);
  });

  it('reports an error that comes after the first rows as an error', async () => {
    const sql = 'SELECT number, throwIf(number = 200000) FROM numbers(300000) SETTINGS max_block_size = 1000';
    const error = await failure(store.client.queryRows(sql, { route, maxRows: 1_000_000 }));
    expect(error).toMatchObject({ code: 395 });
  });

  it('gives the memory limit as a transient error', async () => {
    const sql = 'SELECT length(groupArray(number)) FROM numbers(100000000)';
    const error = await failure(store.client.queryRows(sql, { route, maxMemoryBytes: 50_000_000 }));
    expect(error).toMatchObject({ code: 241 });
    expect(isRetriable(error)).toBe(true);
  });

  it('does not write through a query', async () => {
    const error = await failure(
      store.client.queryText('CREATE TABLE default.t (x Int8) ENGINE = Memory', { route }),
    );
    expect(error).toMatchObject({ code: 164, type: 'READONLY' });
  });

  it('rejects with the reason of an aborted signal and cancels the query', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 100);
    const sql = 'SELECT sleepEachRow(0.05) FROM numbers(1000) SETTINGS max_block_size = 1';
    const error = await failure(
      store.client.queryRows(sql, { route, timeoutMs: 0, queryId: 'aborted-1', signal: controller.signal }),
    );
    expect(error).toBe(reason);
    const left = async () =>
      (
        await store.client.queryRows("SELECT count() FROM system.processes WHERE query_id = 'aborted-1'", {
          route,
        })
      ).rows;
    await expect.poll(left, { timeout: 60_000 }).toEqual([['0']]);
  });

  it('reports that the store is unavailable if nothing listens', async () => {
    const client = createStoreClient({ url: 'http://127.0.0.1:1' });
    const error = await failure(client.queryRows('SELECT 1', { route }));
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(isRetriable(error)).toBe(true);
    expect(await client.ping()).toBe(false);
    await client.close();
  });

  it('refuses a wrong password', async () => {
    const client = createStoreClient({ ...store.connection, password: 'wrong' });
    expect(await failure(client.queryRows('SELECT 1', { route }))).toMatchObject({ code: 516 });
    await client.close();
  });

  it('kills what begins with the prefix, and nothing else', async () => {
    const sql = 'SELECT sleepEachRow(0.05) FROM numbers(1000) SETTINGS max_block_size = 1';
    const start = (queryId: string) => failure(store.client.queryRows(sql, { route, timeoutMs: 0, queryId }));
    const doomed = [start('lane-1-a'), start('lane-1-b')];
    const other = new AbortController();
    const spared = failure(
      store.client.queryRows(sql, { route, timeoutMs: 0, queryId: 'lane-10', signal: other.signal }),
    );
    const running = async () =>
      Number(
        (
          await store.client.queryRows("SELECT count() FROM system.processes WHERE query_id LIKE 'lane-1%'", {
            route,
          })
        ).rows[0]?.[0],
      );
    await expect.poll(running).toBe(3);
    expect(await store.client.killAndWait('lane-1-', { route })).toBe(2);
    for (const error of await Promise.all(doomed)) expect(error).toMatchObject({ code: 394 });
    expect(await running()).toBe(1);
    other.abort();
    await spared;
  });

  it('does nothing where nothing runs, and refuses an empty prefix', async () => {
    expect(await store.client.killAndWait('nobody-', { route })).toBe(0);
    expect(await failure(store.client.killAndWait('', { route }))).toBeInstanceOf(StoreError);
  });

  it('yields the processor as configured', async () => {
    const client = createStoreClient({ ...store.connection, niceness: 7 });
    const { rows } = await client.queryRows<[string]>(
      "SELECT value FROM system.settings WHERE name = 'os_thread_priority'",
      { route: 'test/niceness' },
    );
    expect(rows).toEqual([['7']]);
    await client.close();
  });
});

describe('inserts and reads that come with every step', () => {
  it('are under way as many at a time as the client may have, and all are made', async () => {
    const client = createStoreClient({ ...store.connection, smallAtOnce: 2 });
    try {
      await client.command('CREATE TABLE default.in_turn (n UInt32) ENGINE = Memory', { route });
      let begun = 0;
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      async function* block(n: number) {
        begun++;
        await released;
        const values = Uint8Array.of(n, 0, 0, 0);
        const column = { name: 'n', type: 'UInt32', parts: () => [values] };
        yield* encodeNativeBlock({ name: 'in_turn', rows: 1, columns: [column] });
      }
      const inserts = [0, 1, 2, 3, 4].map((n) => client.insertNative('default.in_turn', block(n), { route }));
      await expect.poll(() => begun).toBe(2);
      await client.ping();
      expect(begun).toBe(2);
      inserts.push(client.insertNative('default.in_turn', block(5), { route, isLarge: true }));
      await expect.poll(() => begun).toBe(3);
      const waiting = client.queryRows('SELECT sleep(0)', { route, inTurn: true });
      let isAnswered = false;
      void waiting.then(() => {
        isAnswered = true;
      });
      for (let others = 0; others < 5; others++) await client.queryRows('SELECT 1', { route });
      expect(isAnswered).toBe(false);
      release();
      await Promise.all([...inserts, waiting]);
      const { rows } = await client.queryRows('SELECT count(), sum(n) FROM default.in_turn', { route });
      expect(rows).toEqual([['6', '15']]);
    } finally {
      await client.close();
    }
  });
});
