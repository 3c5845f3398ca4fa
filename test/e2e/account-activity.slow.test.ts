import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { buildVector } from '../../src/cli/compose/serving.ts';
import { ServedProjections } from '../../src/engine/versions/served-projections.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { indexInProcess } from '../helpers/index-in-process.ts';
import { DEFAULT_SERVE_SETTINGS } from '../helpers/serve-settings.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const STEPS = [1, 2, 10, 33, 80];

interface Answer {
  readonly accounts: readonly Record<string, unknown>[];
}

describeWithData('activity of accounts', (data) => {
  let server: TestServer;
  let app: FastifyInstance;
  let base: string;
  const shutdown = new Shutdown();
  const logged: string[] = [];

  beforeAll(async () => {
    server = await startTestServer();
    const { identity, database } = await indexInProcess(server.client, {
      source: `files:${data}/blocks/mainnet-genesis-0001`,
      network: 'mainnet',
    });
    base = database;
    const keep = (facts: object, text: string) => logged.push(`${text} ${JSON.stringify(facts)}`);
    const log = { debug() {}, info() {}, warn: keep, error: keep };
    const served = await ServedProjections.start({ client: server.reader, identity }, PROJECTIONS, {
      log,
      shutdown,
      signal: shutdown.signal,
    });
    app = await buildServer({
      client: server.reader,
      vector: () => buildVector(served),
      network: { label: 'mainnet', testnet: false, zerostate: null, isolated: false },
      settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000 },
      log,
      health: async () => ({ deadLetters: 0 }),
    });
  }, 600_000);
  afterAll(async () => {
    await app?.close();
    await shutdown.close(() => {});
    await server?.stop();
  });

  /** Activity of all accounts, counted from the transactions up to a masterchain step. */
  async function counted(upTo: number): Promise<readonly Record<string, unknown>[]> {
    return server.client.queryObjects(
      `SELECT concat(toString(workchain), ':', hex(t.account)) AS address, toString(count()) AS transactions,
         toString(countIf(aborted)) AS aborted_transactions, toString(countIf(type = 'ord')) AS messages_in,
         toString(sum(out_msg_count)) AS messages_out, toString(sum(total_fees)) AS fees,
         toString(min(lt)) AS first_transaction_lt, min(now) AS first_transaction_utime,
         toString(max(lt)) AS last_transaction_lt, max(now) AS last_transaction_utime
       FROM ${base}.transactions AS t WHERE mc_seqno <= {upTo:UInt32} GROUP BY workchain, t.account ORDER BY workchain, t.account`,
      { route: 'test', params: { upTo } },
    );
  }

  it('equals the counts of the transactions of real blocks, as of each masterchain block', async () => {
    for (const upTo of STEPS) {
      const truth = await counted(upTo);
      const addresses = truth.map(({ address }) => address);
      const reply = await app.inject(
        `/api/v3/accountActivity?mc_seqno=${upTo}&address=${addresses.join(',')}`,
      );
      expect(reply.headers['x-tonhouse-versions']).toBe('base=1, activity=1, contracts=1');
      expect((reply.json() as Answer).accounts).toEqual(truth);
    }
    expect(logged).toEqual([]);
  });

  it('leaves out accounts without a transaction, and wants an address', async () => {
    const nobody = await app.inject(`/api/v3/accountActivity?address=0:${'7'.repeat(64)}`);
    expect(nobody.json()).toMatchObject({ accounts: [], address_book: {} });
    const none = await app.inject('/api/v3/accountActivity');
    expect([none.statusCode, none.json().error]).toEqual([422, 'address of account is required']);
  });
});
