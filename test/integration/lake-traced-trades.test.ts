import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NeededStore } from '../../src/engine/projection/row-maker.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { makeRows } from '../../src/projections/lake/make-rows.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { type PackedMessage, packMessages } from '../../src/ton/columns/message-pack.ts';
import { storeAddress } from '../../src/ton/store/store-address.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';

/* Trades that are no actions are found by their messages, in the tables of other projections. */

const NETWORK = 'mainnet';
const NAMES = { chain: 'base', traces: 'traces', tokens: 'contracts', actions: 'actions' };
const databaseOf = (projection: string) => versionDatabase(NETWORK, projection, 1);
const bytes = (n: number) => Buffer.alloc(32, n);
const unhex = (n: number) => `unhex('${bytes(n).toString('hex')}')`;
const raw = (n: number) => `0:${bytes(n).toString('hex').toUpperCase()}`;
const base64 = (n: number) => bytes(n).toString('base64');
const [MASTER, FORGER, POOL, WALLET, TRADER, JETTON] = [0xa1, 0xa2, 0xc3, 0xd4, 0xb2, 0xe5] as const;
const GASPUMP_CODE = '6ox2FGgwSndqH0lxBiss6BMBM2reNTNNKPu5yjNVTRc=';
const MOON_CODE = 'KAgWUlMoah5P5j76ubo1SBE3qsCxoPntzLj2RC3eRsQ=';
const opened = (op: number) => new CellBuilder().uint(op, 32);
const toAddress = (n: number) => ({ workchain: 0, address: bytes(n) });

interface NewMessage {
  readonly op: number;
  readonly body: CellBuilder;
  /** Absent: none, as the destination of a log. */
  readonly from?: number;
  readonly to?: number;
  readonly value?: bigint;
  readonly fwdFee?: bigint;
}

function packed(direction: 'in' | 'out', one: NewMessage): PackedMessage {
  const std = (n: number | undefined) =>
    n === undefined ? ({ kind: 'none' } as const) : ({ kind: 'std', workchain: 0, hash: bytes(n) } as const);
  return {
    ...{ direction, kind: one.to === undefined ? 'ext_out' : 'internal', hash: bytes(1), hashNorm: bytes(1) },
    ...{ createdLt: 1n, createdAt: 1, source: std(one.from), destination: std(one.to), opcode: one.op },
    ...{ value: one.value ?? 0n, valueExtra: [], fwdFee: one.fwdFee ?? 0n, ihrFee: 0n, importFee: 0n },
    ...{ extraFlags: null, ihrDisabled: true, bounce: false, bounced: false, bodyHash: bytes(1) },
    ...{ body: writeBag(one.body.cell()), initHash: null, init: null },
  };
}

/** A transaction, with its trace and the step that completed it. */
interface NewTransaction {
  /** Its lt is 100 times it. */
  readonly n: number;
  readonly account: number;
  readonly step: number;
  readonly code: string;
  readonly messages: readonly PackedMessage[];
  readonly completed: number;
  /** Opcode of a sent message that the index has. */
  readonly listed: number;
}

const buyLog = (account: number) => {
  const body = opened(0x67617302)
    .with(storeAddress, toAddress(TRADER))
    .coins(6n)
    .coins(5n)
    .coins(70n)
    .coins(1n);
  return packed('out', { op: 0x67617302, from: account, body: body.bit(true) });
};
const swapTerms = opened(0xb37a900b).coins(1n).u64(9n).uint(0, 4).bit(false).bit(false).cell();
const notification = opened(0x7362d09c).u64(11n).coins(500n).with(storeAddress, toAddress(TRADER));
const payout = { op: 0xcb7f38d6, from: POOL, to: TRADER, body: opened(0xcb7f38d6) };
const transactions: readonly NewTransaction[] = [
  {
    ...{ n: 1, account: MASTER, step: 10, code: GASPUMP_CODE },
    ...{ messages: [buyLog(MASTER)], completed: 12, listed: 0x67617302 },
  },
  {
    ...{ n: 2, account: FORGER, step: 10, code: MOON_CODE },
    ...{ messages: [buyLog(FORGER)], completed: 12, listed: 0x67617302 },
  },
  {
    ...{ n: 3, account: POOL, step: 11, code: MOON_CODE, completed: 12, listed: 0x0f8a7ea5 },
    messages: [
      packed('in', {
        op: 0x7362d09c,
        from: WALLET,
        to: POOL,
        value: 200n,
        body: notification.bit(true).ref(swapTerms),
      }),
      packed('out', { ...payout, value: 5_000_000_000n, fwdFee: 30n }),
    ],
  },
  {
    ...{ n: 4, account: MASTER, step: 11, code: GASPUMP_CODE },
    ...{ messages: [buyLog(MASTER)], completed: 13, listed: 0x67617302 },
  },
];

describe('trades that are no actions', () => {
  let server: TestServer;
  const run = (sql: string) => server.client.command(sql, { route: 'test' });
  const databaseWith: NeededStore['databaseWith'] = async (name) => databaseOf(name);
  const rowsOf = (...steps: readonly number[]) => {
    const needed: NeededStore = { databaseWith, consult: async () => null };
    return makeRows({ client: server.client, database: databaseOf('lake'), needed }, NAMES, steps);
  };

  const insert = async ({ n, account, step, code, messages, completed, listed }: NewTransaction) => {
    const [base, traces] = [databaseOf('base'), databaseOf('traces')];
    const lt = 100 * n;
    const pack = Buffer.from(packMessages(messages)).toString('hex');
    await run(
      `INSERT INTO ${base}.land_transactions (mc_seqno, account, lt, hash, now, messages) VALUES (${step}, ${unhex(account)}, ${lt}, ${unhex(n)}, 1700000000, unhex('${pack}'))`,
    );
    await run(
      `INSERT INTO ${base}.land_account_states (mc_seqno, account, lt, code_hash, origin) VALUES (${step}, ${unhex(account)}, ${lt + 1}, base64Decode('${code}'), 'block')`,
    );
    await run(
      `INSERT INTO ${base}.land_messages (mc_seqno, side, kind, hash, created_lt, opcode, tx_account, tx_lt, tx_hash, listed) VALUES (${step}, 'out', 'ext_out', ${unhex(n)}, ${lt + 1}, ${listed}, ${unhex(account)}, ${lt}, ${unhex(n)}, true)`,
    );
    await run(
      `INSERT INTO ${traces}.land_traces (mc_seqno, trace_id, trace8, state, start_lt, end_lt) VALUES (${completed}, ${unhex(n)}, ${n}, 'complete', ${lt}, ${lt + 50})`,
    );
    await run(
      `INSERT INTO ${traces}.land_trace_transactions (mc_seqno, start_lt, trace8, account, lt) VALUES (${step}, ${lt}, ${n}, ${unhex(account)}, ${lt})`,
    );
  };

  beforeAll(async () => {
    server = await startTestServer();
    const parts = { network: NETWORK, directory: 'clickhouse', epochSize: 1_000, version: 1 };
    for (const projection of Object.values(NAMES)) await migrate(server.client, { ...parts, projection });
    for (const one of transactions) await insert(one);
    const details = JSON.stringify({
      ...{ asset: raw(JETTON), sender: raw(TRADER), receiver: raw(POOL), amount: '500', query_id: '11' },
      receiver_jetton_wallet: raw(WALLET),
      forward_payload: Buffer.from(writeBag(swapTerms)).toString('base64'),
    });
    await run(
      `INSERT INTO ${databaseOf('actions')}.land_actions (mc_seqno, trace_id, type, success, details) VALUES (12, ${unhex(3)}, 'jetton_transfer', true, '${details}')`,
    );
  });
  afterAll(() => server?.stop());

  it('are made of the traces that a step completed, in pools under known codes', async () => {
    const { trades } = await rowsOf(12);
    expect(trades).toMatchObject([
      {
        ...{ project: 'gaspump', position: 12, pool: raw(MASTER), trader: raw(TRADER), lt: 100n },
        ...{ traceId: base64(1), txHash: base64(1), amountSold: 5n, amountBought: 70n },
      },
      { project: 'gaspump', pool: raw(MASTER), sold: '', bought: '' },
      {
        ...{ project: 'moon', position: 12, pool: raw(POOL), sold: raw(JETTON), amountSold: 500n },
        ...{ amountBought: 5_006_999_844n, queryId: 11n, traceId: base64(3) },
      },
    ]);
  });

  it('are the same whatever steps are read together', async () => {
    const [both, first, second, none] = await Promise.all([
      rowsOf(12, 13),
      rowsOf(12),
      rowsOf(13),
      rowsOf(11),
    ]);
    expect(second.trades).toMatchObject([{ lt: 400n, position: 13 }, { lt: 400n }]);
    expect(both.trades).toEqual([...first.trades, ...second.trades]);
    expect(none.trades).toEqual([]);
  });
});
