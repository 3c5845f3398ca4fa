import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChainPort } from '../../../src/api/chain-port.ts';
import { EMULATE_ENDPOINTS } from '../../../src/api/emulate/routes/endpoints.ts';
import { buildServer } from '../../../src/api/serve-stage.ts';
import { METHODS } from '../../../src/api/v2/methods/methods.ts';
import { ENDPOINTS, POST_ENDPOINTS } from '../../../src/api/v3/routes/endpoints.ts';
import type { ProjectionName, VersionVector } from '../../../src/api/version-vector.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import type { QueryOptions } from '../../../src/platform/clickhouse/client-options.ts';
import { versionDatabase } from '../../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { storeAddress } from '../../../src/ton/store/store-address.ts';
import { type IndexedStore, openIndexedStore } from '../../helpers/indexed-store.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { viewOf } from '../../helpers/version-vector.ts';

/*
 * Endpoints read what they declare to read: every endpoint is asked something that reaches all that it reads,
 * and the tables of its statements are looked at.
 */

const VISIBLE = { first: 1, last: 3 };
const HASH = '3'.repeat(64);
const LIBRARY = 'c5'.repeat(32);
const ACCOUNT = `-1:${HASH}`;
/** An external message to the zero address of the masterchain, without a body. */
const EXTERNAL = writeBag(
  new CellBuilder()
    .uint(0b1000, 4)
    .with(storeAddress, { workchain: -1, address: new Uint8Array(32) })
    .coins(0n)
    .uint(0, 2)
    .cell(),
).toBase64();
/** Wallet and leading bidder of a name. */
const NAMED = `-1:${'4'.repeat(64)}`;
/** The data of a nominator pool without nominators. */
const POOL_DATA = writeBag(
  new CellBuilder()
    .uint(0, 24)
    .coins(0n)
    .coins(0n)
    .ref(new CellBuilder().bytes(new Uint8Array(32)).uint(0, 32).cell())
    .uint(0, 2)
    .uint(0, 32)
    .cell(),
).toBase64();
/** An account that is a contract of every kind which holds coins for several. */
const HELD = `-1:${'5'.repeat(64)}`;
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';

/** Queries of the GET routes of v3, by path. */
const V3: Readonly<Record<string, string>> = {
  '/masterchainInfo': '',
  '/masterchainBlockShardState': 'seqno=2',
  '/masterchainBlockShards': 'seqno=2',
  '/blocks': 'workchain=-1',
  '/transactions': 'limit=3',
  '/transactionsByMasterchainBlock': 'seqno=2',
  '/transactionsByMessage': 'opcode=7',
  '/adjacentTransactions': `hash=${'a'.repeat(64)}`,
  '/messages': 'limit=3',
  '/addressBook': `address=${ACCOUNT}`,
  '/metadata': `address=${ACCOUNT}`,
  '/decode': 'opcodes=1',
  '/integrity': '',
  '/jetton/masters': '',
  '/jetton/wallets': `owner_address=${ACCOUNT}`,
  '/jetton/transfers': `owner_address=${ACCOUNT}`,
  '/jetton/burns': '',
  '/nft/collections': '',
  '/nft/items': '',
  '/nft/transfers': '',
  '/nft/sales': `address=${ACCOUNT}`,
  '/dns/records': `wallet=${NAMED}`,
  '/dns/activeAuctions': `bidder=${NAMED}`,
  '/multisig/wallets': `address=${HELD}`,
  '/multisig/orders': `address=${HELD}`,
  '/vesting': `contract_address=${HELD}`,
  '/staking/nominatorPools/pool': `pool=${HELD}`,
  '/staking/nominatorPools/nominator': `nominator=${HELD}`,
  '/staking/nominatorPools/nominatorEvents': `pool=${HELD}`,
  '/staking/nominatorPools/nominatorRewards': `pool=${HELD}&nominator=${HELD}`,
  '/staking/nominatorPools/validatorEvents': `pool=${HELD}`,
  '/staking/nominatorPools/validatorRewards': `pool=${HELD}&validator=${HELD}`,
  '/validators/events': '',
  '/validators/elections': '',
  '/validators/cycles': '',
  '/validators/complaints': '',
  '/accountStates': `address=${ACCOUNT}`,
  '/walletStates': `address=${ACCOUNT}`,
  '/accountActivity': `address=${ACCOUNT}`,
  '/topAccountsByBalance': '',
  '/traces': `trace_id=${'a'.repeat(64)}`,
  '/events': `trace_id=${'a'.repeat(64)}`,
  '/actions': `trace_id=${'a'.repeat(64)}`,
  '/balanceChanges': `trace_id=${'a'.repeat(64)}`,
  '/addressInformation': `address=${ACCOUNT}`,
  '/account': `address=${ACCOUNT}`,
  '/walletInformation': `address=${ACCOUNT}`,
  '/wallet': `address=${ACCOUNT}`,
};
/** Their transactions are in no block, so they read only facts next to waiting ones from the store. */
const OF_THE_SOURCE = ['/pendingTransactions', '/pendingTraces', '/pendingActions'];

const RUN = { address: ACCOUNT, method: 'seqno', stack: [] };
const ESTIMATE = { address: ACCOUNT, body: EMPTY_CELL };
const BLOCK = { workchain: -1, shard: '-9223372036854775808', seqno: 2 };
const LOCATE = { source: ACCOUNT, destination: ACCOUNT, created_lt: 5 };

/** Parameters of the methods of v2 that read, by name. */
const V2: Readonly<Record<string, object>> = {
  getMasterchainInfo: {},
  getConsensusBlock: {},
  shards: { seqno: 2 },
  lookupBlock: BLOCK,
  getBlockHeader: BLOCK,
  getMasterchainBlockSignatures: { seqno: 2 },
  getShardBlockProof: BLOCK,
  getOutMsgQueueSize: {},
  getBlockTransactions: BLOCK,
  getBlockTransactionsExt: BLOCK,
  getTransactions: { address: ACCOUNT },
  getTransactionsStd: { address: ACCOUNT },
  tryLocateTx: LOCATE,
  tryLocateSourceTx: LOCATE,
  getAddressInformation: { address: ACCOUNT },
  getExtendedAddressInformation: { address: ACCOUNT },
  getWalletInformation: { address: ACCOUNT },
  getAddressBalance: { address: ACCOUNT },
  getAddressState: { address: ACCOUNT },
  getTokenData: { address: ACCOUNT },
  getShardAccountCell: { address: ACCOUNT },
  dnsResolve: { address: ACCOUNT },
  getConfigParam: { config_id: 0 },
  getConfigAll: {},
  getLibraries: { libraries: [LIBRARY] },
  runGetMethod: RUN,
  runGetMethodStd: RUN,
  estimateFee: ESTIMATE,
};

/** Runs nothing: everything before is read from the store. */
const chain: ChainPort = {
  runner: {
    runGetMethod: () => Promise.reject(new Error('nothing is run')),
    tryTransaction: () => Promise.reject(new Error('nothing is run')),
  },
  outlet: null,
  states: null,
};

describeWithData('an endpoint', (data) => {
  let store: IndexedStore;
  let app: FastifyInstance;
  let statements: string[] = [];
  const databases: Record<ProjectionName, string> = {
    base: versionDatabase('serve_test', 'base', 1),
    activity: versionDatabase('serve_test', 'activity', 1),
    contracts: versionDatabase('serve_test', 'contracts', 1),
    detections: versionDatabase('serve_test', 'detections', 1),
    traces: versionDatabase('serve_test', 'traces', 1),
    actions: versionDatabase('serve_test', 'actions', 1),
    lake: versionDatabase('serve_test', 'lake', 1),
  };

  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [`${data}/blocks/mainnet-genesis-0001`],
      only: ['-1_8000000000000000_1.boc', '-1_8000000000000000_2.boc', '-1_8000000000000000_3.boc'],
    });
    for (const projection of ['activity', 'contracts', 'traces', 'actions'])
      await migrate(store.client, {
        network: 'serve_test',
        projection,
        version: 1,
        directory: resolve(import.meta.dirname, '../../../clickhouse'),
        epochSize: 40,
      });
    // The elector is an account that is not there: the blocks show not all of the true one.
    const elector = writeBag(new CellBuilder().bytes(new Uint8Array(32).fill(0x77)).cell()).toBase64();
    await store.client.command(
      `INSERT INTO ${databases.base}.land_config_params (mc_seqno, param, boc) SELECT 2, 1, base64Decode('${elector}')`,
      { route: 'test' },
    );
    // The cell of a library is in a state of an account.
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_cell_places (mc_seqno, hash8, workchain, account, lt)
       SELECT 2, reinterpretAsUInt64(reverse(substring(unhex('${LIBRARY}'), 1, 8))), -1, unhex('${HASH}'), 5`,
      { route: 'test' },
    );
    // Its address is looked up in an address book.
    await store.client.command(
      `INSERT INTO ${databases.activity}.land_activity (mc_seqno, workchain, account) SELECT 2, -1, unhex('${'3'.repeat(64)}')`,
      { route: 'test' },
    );
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_token_states (mc_seqno, workchain, account, lt, kind, is_first, is_owner_new, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent)
       SELECT 2, -1, unhex('${HASH}') AS id, 5, arrayJoin(['jetton_master', 'jetton_wallet', 'nft_collection', 'nft_item']), true, true, true, -1, id, true, -1, id`,
      { route: 'test' },
    );
    // A sale, and a name below a collection that answers take names of.
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_contract_states (mc_seqno, workchain, account, lt, kind, details)
       SELECT 2, -1, unhex('${HASH}'), 5, 'nft_sale', '{}'`,
      { route: 'test' },
    );
    const parties = { sender_address: HELD, owner_address: HELD, validator_address: HELD };
    const lists = JSON.stringify({
      ...parties,
      signers: [],
      proposers: [],
      whitelist: [],
      nominators: [],
    });
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_contract_states (mc_seqno, workchain, account, lt, kind, has_parent, parent_workchain, parent, details, data)
       SELECT 2, -1, unhex('${'5'.repeat(64)}') AS id, 5, arrayJoin(['multisig', 'multisig_order', 'vesting', 'nominator_pool']), true, -1, id, '${lists}', base64Decode('${POOL_DATA}')`,
      { route: 'test' },
    );
    const zone = "unhex('B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF')";
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_token_states (mc_seqno, account, lt, kind, is_first)
       SELECT 2, ${zone}, 5, 'nft_collection', true`,
      { route: 'test' },
    );
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_contract_states (mc_seqno, workchain, account, lt, kind, has_parent, parent, domain, has_wallet, wallet_workchain, wallet, has_bidder, bidder_workchain, bidder, details)
       SELECT 2, 0, unhex('${'4'.repeat(64)}') AS id, 5, 'dns_item', true, ${zone}, 'a.ton', true, -1, id, true, -1, id, '{}'`,
      { route: 'test' },
    );
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_contract_keys (mc_seqno, role, key_workchain, key, account)
       SELECT 2, arrayJoin(['wallet', 'bidder']), -1, unhex('${'4'.repeat(64)}') AS id, id`,
      { route: 'test' },
    );
    await store.client.command(
      `INSERT INTO ${databases.contracts}.land_token_transfers (mc_seqno, kind, workchain, account, lt, has_parent, parent_workchain, parent, has_source, source_workchain, source)
       SELECT 2, arrayJoin(['jetton_transfer', 'jetton_burn', 'nft_transfer']), -1, unhex('${HASH}') AS id, 5, true, -1, id, true, -1, id`,
      { route: 'test' },
    );
  });
  // A server remembers what it read: each test has one of its own.
  beforeEach(async () => {
    statements = [];
    const vector: VersionVector = {
      base: viewOf(databases.base, VISIBLE),
      activity: viewOf(databases.activity, VISIBLE),
      contracts: viewOf(databases.contracts, VISIBLE),
      // Each endpoint can do without them.
      detections: { state: 'off' },
      traces: viewOf(databases.traces, VISIBLE),
      actions: viewOf(databases.actions, VISIBLE),
      // Only the views for analysts read them.
      lake: { state: 'off' },
    };
    app = await buildServer({
      ...store.context,
      client: recording(store.context.client),
      vector: () => vector,
      chain,
    });
  });
  afterEach(() => app.close());
  afterAll(() => store?.close());

  /** A statement for an answer that was given before counts for that one, not for the next. */
  function recording(client: StoreClient): StoreClient {
    const own = statements;
    const note = (sql: string, { route }: QueryOptions) => {
      // The headers' time is no part of the answer.
      if (route !== 'serve/head-clock') own.push(sql);
    };
    return {
      ...client,
      queryRows: ((sql, options) => {
        note(sql, options);
        return client.queryRows(sql, options);
      }) as StoreClient['queryRows'],
      queryBytes: (sql, options) => {
        note(sql, options);
        return client.queryBytes(sql, options);
      },
    };
  }

  /** Projections whose tables the statements name. */
  function read(): ProjectionName[] {
    // A cell is found by its hash anywhere, independent of a projection's version.
    const own = statements.filter((sql) => !sql.includes('.cell_places'));
    const named = own.flatMap((sql) => [...sql.matchAll(/\b(?:FROM|JOIN)\s+(\w+)\.\w+/g)]);
    const found = new Set(named.map(([, database]) => database as string));
    const names = Object.keys(databases) as ProjectionName[];
    // Tables of the network belong to no projection.
    found.delete(store.context.network.label);
    expect([...found].filter((database) => !Object.values(databases).includes(database))).toEqual([]);
    return names.filter((name) => found.has(databases[name]));
  }

  const sorted = (names: readonly string[]) => names.toSorted();

  it('of v3 is asked, each one', () => {
    expect(sorted([...Object.keys(V3), ...OF_THE_SOURCE])).toEqual(sorted(ENDPOINTS.map(({ path }) => path)));
  });

  it.each(ENDPOINTS.filter(({ path }) => path in V3))(
    '$path reads what it declares',
    async ({ path, reads, adds = [] }) => {
      const reply = await app.inject(`/api/v3${path}?${V3[path]}`);
      expect(reply.statusCode).toBeLessThan(500);
      expect(sorted(read().filter((name) => !adds.includes(name)))).toEqual(sorted(reads));
    },
  );

  it.each(POST_ENDPOINTS)('POST $path reads what it declares', async ({ path, reads }) => {
    const payload = { ...RUN, ...ESTIMATE, boc: EMPTY_CELL };
    await app.inject({ method: 'POST', url: `/api/v3${path}`, payload });
    expect(sorted(read())).toEqual(sorted(reads));
  });

  it.each(EMULATE_ENDPOINTS)('POST emulate $path reads what it declares', async ({ path, reads, adds }) => {
    const messages = [{ address: ACCOUNT, amount: '1' }];
    const payload = { boc: EXTERNAL, from: ACCOUNT, messages, with_actions: true };
    await app.inject({ method: 'POST', url: `/api/emulate${path}`, payload });
    expect(sorted(read().filter((name) => !adds.includes(name)))).toEqual(sorted(reads));
  });

  it('of v2 that reads is asked, each one', () => {
    const reading = METHODS.filter(({ reads }) => reads.length > 0).map(({ name }) => name);
    expect(sorted(Object.keys(V2))).toEqual(sorted(reading));
  });

  it.each(METHODS)('$name reads what it declares', async ({ name, reads }) => {
    await app.inject({ method: 'POST', url: `/api/v2/${name}`, payload: V2[name] ?? { address: ACCOUNT } });
    expect(sorted(read())).toEqual(sorted(reads));
  });
});
