import { Cell } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RecordedTrace, toTrace } from '../../scripts/conformance/trace-fixture.ts';
import { LakeKeeper } from '../../src/api/lake/lake-keeper.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import { MIGRATIONS } from '../../src/engine/project-files.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import { ContractMaker } from '../../src/projections/contracts/contract-rows.ts';
import { type Fact, NO_CELLS } from '../../src/projections/contracts/fact.ts';
import { FactWriter } from '../../src/projections/contracts/pack-facts.ts';
import { readTransferBody } from '../../src/projections/contracts/transfer-body.ts';
import type { TokenState } from '../../src/ton/contracts/token-state.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { recordedTraces } from '../helpers/lake-actions.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { baseVector, viewOf } from '../helpers/version-vector.ts';

/* Mints of recorded traces: as rows of contracts, and in the tables for analysts. */

const INTERNAL_TRANSFER = 0x178d4519;
/** A deposit of liquidity at DeDust: the pool mints tokens for it, and its vaults move jettons. */
const DEPOSIT = '+0M6pWgvSrqN06gIYbqrG2UbMCBKwiSuhR3+mZzRCS0=';
/** Two deposits at DeDust without transfers, a stake, and an action jetton_mint. */
const OTHERS = [
  'BD/4YMGJ9vOn8+2PFwxAj/vwi/UcrYRD61OXsHMHSb8=',
  'IlYj6neBD7lYZ0WKxfFIrrrkK3fhiEK/VfH48ihb6ZU=',
  'vhM4+FbBKgC8khEg0MTKMvPx8MiBuEYbrqHgDjPFHcQ=',
  'uXA5LQpf/4c9NEOK6trJZuBMitcBLNYxK7/2OfzphtI=',
];
const NETWORK = 'lake_mints_test';
const VISIBLE = { first: 1, last: 100 };
const route = 'test';
const CODE = new Uint8Array(32).fill(0xee);
const database = (name: string) => versionDatabase(NETWORK, name, 1);

/** A wallet that a trace names. */
interface Wallet {
  readonly address: string;
  readonly owner: string;
  readonly master: string;
}

const parseRaw = (raw: string) => {
  const [workchain = '', id = ''] = raw.split(':');
  return { workchain: Number(workchain), address: Buffer.from(id, 'hex') };
};

const walletsIn = ({ interfaces }: RecordedTrace): Wallet[] =>
  Object.entries(interfaces ?? {}).flatMap(([address, facts]) =>
    facts?.JettonWallet
      ? [{ address, owner: facts.JettonWallet.owner, master: facts.JettonWallet.jetton }]
      : [],
  );

/** Facts of what wallets received. `isKnown`: the code of wallets is one whose data is read. */
function toFacts(recorded: RecordedTrace, isKnown: boolean, isAborted = false): Fact[] {
  const wallets = new Map(walletsIn(recorded).map((wallet) => [wallet.address, wallet]));
  return toTrace(recorded).transactions.flatMap(({ account: address, hash, lt, now, inMessage }): Fact[] => {
    const wallet = wallets.get(address);
    if (!wallet || inMessage?.opcode !== INTERNAL_TRANSFER || !inMessage.body) return [];
    const account = parseRaw(address);
    const body = readTransferBody(INTERNAL_TRANSFER, inMessage.body);
    const head = { position: 1, account, lt, now } as const;
    const token: TokenState = {
      ...{ kind: 'jetton_wallet', amount: 1n, flag: false, content: null, link: '' },
      ...{ owner: parseRaw(wallet.owner), parent: parseRaw(wallet.master), childCode: CODE },
    };
    return [
      {
        ...{ ...head, type: 'state', codeHash: CODE, dataHash: CODE, cells: NO_CELLS, contract: null },
        token: isKnown ? token : null,
      },
      {
        ...{ ...head, ...body!, type: 'transfer', hash: Buffer.from(hash, 'base64'), isAborted },
        source: parseRaw(inMessage.source!),
      },
    ];
  });
}

describeWithData('recorded mints of jettons', (data) => {
  const traces = recordedTraces(`${data}/traces`).filter((one) =>
    [DEPOSIT, ...OTHERS].includes(toTrace(one).traceId),
  );
  let server: TestServer;
  let keeper: LakeKeeper;
  let served = database('contracts');

  const ask = async (sql: string) =>
    (await server.client.queryRows(sql.replaceAll('ton.', `${NETWORK}_views.`), { route })).rows;
  const run = (sql: string) => server.client.command(sql, { route });
  const values = (addresses: readonly string[]) =>
    addresses.map((raw) => `unhex('${raw.split(':')[1]}')`).join(', ');

  const clear = async () => {
    for (const [name, table] of [
      ['contracts', 'jetton_mints'],
      ['contracts', 'token_transfers'],
      ['detections', 'token_states'],
    ] as const)
      await run(`TRUNCATE TABLE ${database(name)}.${table}`);
  };
  /** Stores the rows of facts in empty tables. */
  const store = async (facts: readonly Fact[]) => {
    await clear();
    const client = null as unknown as StoreClient;
    const maker = new ContractMaker({ client, database: 'none', partition: 0, partitions: 1, next: 0 });
    const writer = new FactWriter();
    for (const fact of facts) writer.add(fact);
    const parts = writer.take(null);
    await maker.prepare([parts]);
    const set = maker.createRowSet();
    set.append(parts);
    set.endStep?.();
    for (const table of set.tables.filter(
      ({ name }) => name === 'jetton_mints' || name === 'token_transfers',
    ))
      await server.client.insertNative(
        `${database('contracts')}.land_${table.name}`,
        encodeNativeBlock(table),
        {
          route,
        },
      );
  };

  beforeAll(async () => {
    server = await startTestServer();
    for (const projection of ['base', 'contracts', 'detections'])
      await migrate(server.client, {
        ...{ network: NETWORK, projection, version: 1, epochSize: 1_000, directory: MIGRATIONS },
      });
    // The masters name the code.
    for (const { master } of traces.flatMap(walletsIn))
      await run(
        `INSERT INTO ${database('contracts')}.land_token_states (mc_seqno, kind, is_first, account, lt, child_code) VALUES (1, 'jetton_master', true, ${values([master])}, 1, unhex('${'ee'.repeat(32)}'))`,
      );
    const { user = 'default', password = '' } = server.connection;
    keeper = new LakeKeeper({
      ...{ client: server.client, network: NETWORK, lake: `${NETWORK}_views`, views: readLakeViews() },
      vector: () => ({
        ...baseVector(database('base'), VISIBLE),
        contracts: viewOf(served, VISIBLE),
        detections: viewOf(database('detections'), VISIBLE),
      }),
      access: { user, password },
      confirming: () => ({ partitions: null, isIsolated: false, epochSize: 1_000 }),
    });
    await keeper.refresh();
  });
  afterAll(() => server?.stop());

  /** What the traces have: each wallet that its master sent jettons to. */
  const expected = traces
    .flatMap((one) => {
      const wallets = new Map(walletsIn(one).map((wallet) => [wallet.address, wallet]));
      return toTrace(one).transactions.flatMap(({ account, hash, inMessage }) => {
        const wallet = wallets.get(account);
        const isMint = inMessage?.opcode === INTERNAL_TRANSFER && inMessage.source === wallet?.master;
        if (!isMint || !wallet) return [];
        const slice = Cell.fromBoc(Buffer.from(inMessage.body!))[0]!.beginParse().skip(32);
        const numbers = [slice.loadUintBig(64), slice.loadCoins()].map(String);
        return [[hash, account, wallet.owner, wallet.master, ...numbers]];
      });
    })
    .sort();
  const MINTS = `SELECT tx_hash, jetton_wallet, destination, jetton_master, toString(query_id), toString(amount) FROM ton.jetton_events WHERE type = 'mint' AND source IS NULL ORDER BY tx_hash`;

  it('are one a trace, also in a deposit of liquidity and in a stake', async () => {
    expect(expected).toHaveLength(traces.length);
    await store(traces.flatMap((one) => toFacts(one, true)));
    // Jettons that wallets sent to each other have no row.
    expect(await ask(`SELECT count() FROM ${database('contracts')}.jetton_mints`)).toEqual([
      [`${traces.length}`],
    ]);
    expect((await ask(MINTS)).toSorted()).toEqual(expected);
    const [deposit] = traces.filter((one) => toTrace(one).traceId === DEPOSIT);
    const [{ master } = { master: '' }] = walletsIn(deposit!).filter(({ address }) =>
      expected.some(([, wallet]) => wallet === address),
    );
    expect(
      await ask(
        `SELECT toString(amount), toString(query_id), tx_aborted FROM ton.jetton_events WHERE jetton_master = '${master}'`,
      ),
    ).toEqual([['502474030067', '15997166319191479566', false]]);
    expect(await ask('SELECT type, sum(events), sum(aborted) FROM ton.jettons_hourly GROUP BY type')).toEqual(
      [['mint', `${traces.length}`, '0']],
    );
    expect(await ask('SELECT toString(sum(amount)) FROM ton.jettons_daily')).toEqual(
      await ask('SELECT toString(sum(amount)) FROM ton.jetton_events'),
    );
  });

  it('are those of the master if only get methods identify the wallets', async () => {
    await store(traces.flatMap((one) => toFacts(one, false)));
    expect(
      Number((await ask(`SELECT count() FROM ${database('contracts')}.jetton_mints`))[0]![0]),
    ).toBeGreaterThan(traces.length);
    expect(await ask(MINTS)).toEqual([]);
    for (const { address, owner, master } of traces.flatMap(walletsIn))
      await run(
        `INSERT INTO ${database('detections')}.land_token_states (mc_seqno, kind, account, lt, has_owner, owner, has_parent, parent) VALUES (2, 'jetton_wallet', ${values([address])}, 1, true, ${values([owner])}, true, ${values([master])})`,
      );
    expect((await ask(MINTS)).toSorted()).toEqual(expected);
    expect(await ask('SELECT type, sum(events) FROM ton.jettons_hourly GROUP BY type')).toEqual([
      ['mint', `${traces.length}`],
    ]);
  });

  it('are marked if their transaction was aborted', async () => {
    await store(traces.flatMap((one) => toFacts(one, true, true)));
    expect(await ask('SELECT DISTINCT type, tx_aborted FROM ton.jetton_events')).toEqual([['mint', true]]);
    expect(
      await ask(
        'SELECT type, sum(events), sum(aborted), toString(sum(amount)) FROM ton.jettons_daily GROUP BY type',
      ),
    ).toEqual([['mint', '0', `${traces.length}`, '0']]);
  });

  it('are missing over a version of contracts that has no table of them', async () => {
    const older = versionDatabase(NETWORK, 'contracts', 2);
    await migrate(server.client, {
      ...{ network: NETWORK, projection: 'contracts', version: 2, epochSize: 1_000, directory: MIGRATIONS },
    });
    for (const name of ['jetton_mints_mv', 'jetton_mints']) await run(`DROP TABLE ${older}.${name} SYNC`);
    const [[, , owner, master] = []] = expected as string[][];
    await run(
      `INSERT INTO ${older}.land_token_states (mc_seqno, kind, is_first, account, lt) VALUES (1, 'jetton_master', true, ${values([master!])}, 1)`,
    );
    await run(
      `INSERT INTO ${older}.land_token_transfers (mc_seqno, kind, account, lt, has_parent, parent, amount) VALUES (1, 'jetton_transfer', ${values([owner!])}, 1, true, ${values([master!])}, 5)`,
    );
    served = older;
    await keeper.refresh();
    expect(await ask('SELECT type, toString(amount) FROM ton.jetton_events')).toEqual([['transfer', '5']]);
    expect(await ask('SELECT type, toString(amount) FROM ton.jettons_daily')).toEqual([['transfer', '5']]);
  });
});
