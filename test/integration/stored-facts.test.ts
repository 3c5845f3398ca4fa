import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClassifiedAction } from '../../src/api/classifier-port.ts';
import { readFacts } from '../../src/api/entities/actions/read-facts.ts';
import type { UnconfirmedAccount } from '../../src/api/pending/unconfirmed-account.ts';
import { openScope } from '../../src/api/query/scope.ts';
import { classifyUnconfirmed } from '../../src/api/v3/answers/pending/classify-unconfirmed.ts';
import { traceClassifier } from '../../src/cli/compose/trace-classifier.ts';
import { FactBook } from '../../src/facts/fact-book.ts';
import { readAccounts } from '../../src/facts/read-accounts.ts';
import { readContracts } from '../../src/facts/read-contracts.ts';
import { readTokens } from '../../src/facts/read-tokens.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate, migrateMeta } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import { addPools } from '../../src/projections/actions/find-pools.ts';
import type { Action } from '../../src/projections/actions/model/action.ts';
import { factsAt } from '../../src/projections/actions/stored/facts-at.ts';
import { parseBoc } from '../../src/ton/boc/boc.ts';
import { CellHashes } from '../../src/ton/boc/cell-hashes.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { SWAP_LOG, SWAP_LOG_V2 } from '../../src/ton/contracts/dedust-pool.ts';
import { bagOf, putAddress, traceFrom } from '../helpers/action-traces.ts';
import { recordedStatements } from '../helpers/recorded-statements.ts';
import { storelessContext } from '../helpers/storeless-context.ts';
import { testCaller } from '../helpers/test-caller.ts';
import { openTestStore, type TestStore } from '../helpers/test-store.ts';
import { baseVector, viewOf } from '../helpers/version-vector.ts';

/* Facts of sales and items for the classifier of traces, from the tables of `contracts`. */

const NETWORK = 'facts_test';
const hash = (digit: string) => digit.repeat(64);
const raw = (digit: string) => `0:${hash(digit)}`;
const [SALE, ITEM, SELLER, COLLECTION, MARKET, ORDER] = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

describe('facts of stored contracts', () => {
  let store: TestStore;
  const database = versionDatabase(NETWORK, 'contracts', 1);
  const insert = (sql: string) => store.client.command(sql.replaceAll('{db}', database), { route: 'test' });

  beforeAll(async () => {
    store = await openTestStore(NETWORK);
    const directory = resolve(import.meta.dirname, '../../clickhouse');
    await migrate(store.client, {
      network: NETWORK,
      projection: 'contracts',
      version: 1,
      directory,
      epochSize: 40,
    });
    const details = (price: string) =>
      JSON.stringify({ full_price: price, marketplace_address: raw(MARKET) });
    await insert(
      `INSERT INTO {db}.land_contract_states (mc_seqno, account, lt, kind, is_gone, has_owner, owner, has_parent, parent, details)
       SELECT t.1, unhex('${hash(SALE)}'), t.1 * 100, 'nft_sale', t.3, true, unhex('${hash(SELLER)}'), true, unhex('${hash(ITEM)}'), t.2
       FROM (SELECT arrayJoin([(1, '${details('7')}', false), (5, '${details('9')}', false), (8, '${details('9')}', true)]) AS t)`,
    );
    await insert(
      `INSERT INTO {db}.land_contract_states (mc_seqno, account, lt, kind, details)
       VALUES (4, unhex('${hash(ORDER)}'), 400, 'multisig_order', '${JSON.stringify({ signers: [raw(SELLER)] })}')`,
    );
    await insert(
      `INSERT INTO {db}.land_token_states (mc_seqno, account, lt, kind, flag, has_parent, parent, child_code, content, link, amount)
       SELECT 2, unhex('${hash(ITEM)}'), 200, 'nft_item', true, true, unhex('${hash(COLLECTION)}'), unhex('${hash('1')}'), '{}', '7.json', 7
       UNION ALL SELECT 1, unhex('${hash(COLLECTION)}'), 100, 'nft_collection', true, false, unhex('${hash('0')}'), unhex('${hash('1')}'), '{}', 'http://items/', 0`,
    );
  }, 300_000);
  afterAll(() => store?.stop());

  it('are read for any number of accounts, though a statement repeats its condition', async () => {
    const others = Array.from(
      { length: 4_000 },
      (_, at) => `-2147483648:${at.toString(16).toUpperCase().padStart(64, '0')}`,
    );
    const accounts = [...others.slice(0, 1_700), raw(ITEM), ...others.slice(1_700), raw(COLLECTION)];
    const rows = await readAccounts<[string]>(
      { client: store.client, database },
      accounts,
      'test',
      (keys) => {
        const from = `SELECT hex(account) FROM ${database}.token_states WHERE ${keys}`;
        return `${from} UNION ALL ${from} AND lt < 150 UNION ALL ${from} AND lt > 150`;
      },
    );
    expect(rows.map(([account]) => account).toSorted()).toEqual(
      [hash(ITEM), hash(ITEM), hash(COLLECTION), hash(COLLECTION)].toSorted(),
    );
  });

  it('are the values of a sale at each step, also after its end', async () => {
    const found = await readContracts({ client: store.client, database }, [raw(SALE), raw(ITEM)], {
      first: 3,
      last: 10,
    });
    const facts = found.toSorted((a, b) => a.position - b.position);
    expect(
      facts.map(({ account, position, facts: one }) => [account, position, one?.nftSale?.fullPrice]),
    ).toEqual([
      [raw(SALE), 1, 7n],
      [raw(SALE), 5, 9n],
      [raw(SALE), 8, 9n],
    ]);
    expect(facts[0]!.facts!.nftSale).toMatchObject({
      nft: raw(ITEM),
      nftOwner: raw(SELLER),
      marketplace: raw(MARKET),
    });
  });

  it('are the signers of an order', async () => {
    const range = { first: 3, last: 10 };
    const [found] = await readContracts({ client: store.client, database }, [raw(ORDER)], range);
    expect(found).toMatchObject({
      account: raw(ORDER),
      position: 4,
      facts: { multisigOrder: { signers: [raw(SELLER)] } },
    });
  });

  it('are an item with the whole link of its content', async () => {
    const stores = { tokens: { client: store.client, database }, detections: null };
    const [found] = await readTokens(stores, [raw(ITEM)], { first: 3, last: 10 });
    expect(found!.facts!.nftItem).toMatchObject({ index: 7n, contentUri: 'http://items/7.json' });
  });
});

describe('facts that are asked for apart', () => {
  let store: TestStore;
  const network = 'asked_test';
  const databaseOf = (projection: string) => versionDatabase(network, projection, 1);
  const [WALLET, POOL, OTHER] = ['A', 'B', 'C'] as const;
  const [POOL_V2, POOL_V2_WALLET] = ['4', '5'] as const;
  const [STAKE, STAKE_POOL, LOCK, JETTON, USER, VAULT, FRESH] = ['2', '3', '7', '8', '9', 'E', 'F'] as const;
  const put = (...digits: readonly string[]) =>
    digits.reduce((builder, digit) => putAddress(builder, raw(digit)), new CellBuilder());
  /** pool minter …, and bit uint32 admin creator lock_wallet … */
  const STAKE_DATA = put(STAKE_POOL, OTHER).cell();
  const POOL_DATA = [USER, USER, LOCK]
    .reduce((builder, digit) => putAddress(builder, raw(digit)), new CellBuilder().bit(true).uint(7, 32))
    .cell();
  const small = (text: number) => new CellBuilder().uint(text, 32).cell();
  const FIRST_DATA = new CellBuilder().uint(1, 8).ref(small(9)).cell();
  const LATER_DATA = new CellBuilder().uint(2, 8).cell();
  const asset = (builder: CellBuilder, jetton: string | null) =>
    jetton === null
      ? builder.uint(0, 4)
      : builder
          .uint(1, 4)
          .int(0, 8)
          .bytes(Uint8Array.fromHex(hash(jetton)));
  const swapLog = () => {
    const log = asset(asset(new CellBuilder().uint(SWAP_LOG, 32), null), 'D')
      .coins(5n)
      .coins(6n);
    return log.ref(small(0)).cell();
  };
  const sql = (bag: Uint8Array) => `unhex('${Buffer.from(bag).toString('hex')}')`;
  const hex = ({ key }: Cell) => Buffer.from(key, 'latin1').toString('hex');
  const hash8 = (cell: Cell) => `reinterpretAsUInt64(reverse(substring(unhex('${hex(cell)}'), 1, 8)))`;

  beforeAll(async () => {
    store = await openTestStore(network);
    const directory = resolve(import.meta.dirname, '../../clickhouse');
    await migrateMeta(store.client, { network, directory });
    for (const projection of ['base', 'contracts'])
      await migrate(store.client, { network, projection, version: 1, directory, epochSize: 40 });
    const insert = (table: string, columns: string, ...rows: readonly string[]) =>
      store.client.command(`INSERT INTO ${table} (${columns}) VALUES ${rows.join(', ')}`, { route: 'test' });
    const base = databaseOf('base');
    const state = (step: number, data: Cell) =>
      `(${step}, unhex('${hash(WALLET)}'), ${step * 100}, unhex('${hex(data)}'))`;
    await insert(
      `${base}.account_states`,
      'mc_seqno, account, lt, data_hash',
      state(2, FIRST_DATA),
      state(6, LATER_DATA),
    );
    const cells = (step: number, account: string, data: Cell) =>
      `(${step}, unhex('${hash(account)}'), ${step * 100}, ${sql(bagOf(new CellBuilder().ref(data).cell()))})`;
    await insert(
      `${base}.account_cells`,
      'mc_seqno, account, lt, boc',
      cells(1, OTHER, FIRST_DATA),
      cells(8, WALLET, LATER_DATA),
    );
    const place = (step: number, account: string, data: Cell) =>
      `(${step}, ${hash8(data)}, unhex('${hash(account)}'), ${step * 100})`;
    await insert(
      `${databaseOf('contracts')}.cell_places`,
      'mc_seqno, hash8, account, lt',
      place(1, OTHER, FIRST_DATA),
      place(8, WALLET, LATER_DATA),
    );
    const log = (step: number, body: Cell) =>
      `(${step}, ${step * 100}, 'ext_out', 'out', true, unhex('${hash(String(step))}'), 'std', unhex('${hash(POOL)}'), ${SWAP_LOG}, ${sql(bagOf(body))})`;
    await insert(
      `${base}.land_messages`,
      'mc_seqno, created_lt, kind, side, listed, hash, source_kind, source, opcode, body',
      log(3, small(SWAP_LOG)),
      log(5, swapLog()),
      log(7, swapLog()),
    );
    const logV2 = (isXToY: boolean) => new CellBuilder().uint(SWAP_LOG_V2, 32).bit(isXToY).cell();
    const ofPool = (step: number, kind: string, place: number, op: number, to: string, body: Cell) =>
      `(${step}, ${step * 100 + place}, ${step * 100}, '${kind}', 'out', true, unhex('${hash(`${step}${place}`).slice(0, 64)}'), 'std', unhex('${hash(POOL_V2)}'), ${op}, 'std', unhex('${hash(to)}'), ${sql(bagOf(body))})`;
    await insert(
      `${base}.land_messages`,
      'mc_seqno, created_lt, tx_lt, kind, side, listed, hash, source_kind, source, opcode, destination_kind, destination, body',
      ofPool(3, 'ext_out', 1, SWAP_LOG_V2, '0', logV2(true)),
      ofPool(3, 'internal', 2, 0x3216ca09, USER, small(1)),
      ofPool(5, 'internal', 1, 0x0f8a7ea5, POOL_V2_WALLET, small(1)),
      ofPool(5, 'ext_out', 2, SWAP_LOG_V2, '0', logV2(false)),
    );
    await insert(
      `${base}.land_account_states`,
      'mc_seqno, account, lt, status, hash, code_hash, data_hash',
      ...[STAKE_DATA, POOL_DATA].map(
        (data, place) =>
          `(4, unhex('${hash([STAKE, STAKE_POOL][place]!)}'), 400, 'active', unhex('${hash('4')}'), unhex('${hash('5')}'), unhex('${hex(data)}'))`,
      ),
    );
    await insert(
      `${base}.account_cells`,
      'mc_seqno, account, lt, boc',
      cells(4, STAKE, STAKE_DATA),
      cells(3, OTHER, POOL_DATA),
    );
    await insert(
      `${databaseOf('contracts')}.cell_places`,
      'mc_seqno, hash8, account, lt',
      place(4, STAKE, STAKE_DATA),
      place(3, OTHER, POOL_DATA),
    );
    await insert(
      `${databaseOf('contracts')}.land_token_states`,
      'mc_seqno, account, lt, kind, flag, has_owner, owner, has_parent, parent, code_hash, child_code',
      `(2, unhex('${hash(LOCK)}'), 200, 'jetton_wallet', true, true, unhex('${hash(STAKE_POOL)}'), true, unhex('${hash(JETTON)}'), unhex('${hash('6')}'), unhex('${hash('6')}'))`,
      `(7, unhex('${hash(POOL_V2_WALLET)}'), 700, 'jetton_wallet', true, true, unhex('${hash(POOL_V2)}'), true, unhex('${hash(JETTON)}'), unhex('${hash('6')}'), unhex('${hash('6')}'))`,
      `(1, unhex('${hash(JETTON)}'), 100, 'jetton_master', true, false, unhex('${hash('0')}'), false, unhex('${hash('0')}'), unhex('${hash('5')}'), unhex('${hash('6')}'))`,
    );
  }, 300_000);
  afterAll(() => store?.stop());

  /** Facts for a rule at each step, in one window of steps. */
  async function told<Fact>(
    ask: (facts: ReturnType<typeof factsAt>) => Fact,
    steps: readonly number[],
  ): Promise<readonly Fact[]> {
    const at = (projection: string) => ({ client: store.client, database: databaseOf(projection) });
    const stores = { chain: at('base'), tokens: at('contracts'), detections: null };
    const book = new FactBook(stores, { first: steps[0]!, last: steps.at(-1)! });
    const missing: string[] = [];
    for (const step of steps) expect(ask(factsAt(book, step, (account) => missing.push(account)))).toBeNull();
    expect(missing).toHaveLength(steps.length);
    expect(await book.lookUp()).toBe(true);
    expect(await book.lookUp()).toBe(false);
    return steps.map((step) =>
      ask(factsAt(book, step, (_account, _sort, isMissing) => expect(isMissing).toBe(false))),
    );
  }

  it.each([[[1, 2, 5, 6, 7, 8]], [[5, 8]], [[2]], [[7]]])(
    'are the data of an account after each step, from where the index shows it: steps %j',
    async (steps) => {
      const bags = await told((facts) => facts.getData(raw(WALLET)), steps);
      const shown = bags.map((bag) => bag && readCell(bag).data[0]);
      const expected: Record<number, number | null> = { 1: null, 2: 1, 5: 1, 6: null, 7: null, 8: 2 };
      expect(shown).toEqual(steps.map((step) => expected[step]));
    },
  );

  it.each([[[3, 4, 5, 6, 9]], [[4]], [[8, 9]]])(
    'are the assets of a pool from its first swap on: steps %j',
    async (steps) => {
      const pools = await told((facts) => facts.getPool(raw(POOL)), steps);
      const assets = { assets: [null, raw('D')] };
      expect(pools).toEqual(steps.map((step) => (step >= 5 ? assets : null)));
    },
  );

  it.each([[[3, 5, 6, 7, 9]], [[6]], [[9]]])(
    'are those of a v2 pool once it has swapped in both directions and its wallet is known: steps %j',
    async (steps) => {
      const pools = await told((facts) => facts.getPool(raw(POOL_V2)), steps);
      const assets = { assets: [raw(JETTON), null] };
      expect(pools).toEqual(steps.map((step) => (step >= 7 ? assets : null)));
      const last = steps.at(-1)!;
      const contracts = scopeAt(last).added.contracts!;
      const asked = { account: [], data: [], pool: [raw(POOL_V2)] };
      const { pool } = await readFacts(scopeAt(last), contracts, asked, () => undefined);
      const wallets = { poolWallets: [raw(POOL_V2_WALLET)] };
      expect(pool.get(raw(POOL_V2))).toEqual(last >= 7 ? { pool: assets } : wallets);
    },
  );

  /** A stake that is taken back, cut short; and a swap whose pool logged nothing. */
  const unstake = (wallet: string) => ({
    op: 0x499a9262,
    to: raw(wallet),
    body: (builder: CellBuilder) => void builder.bigUint(7n, 64).coins(5n),
  });
  const failedSwap = {
    op: 0xea06185d,
    to: raw(VAULT),
    body: (builder: CellBuilder) => {
      putAddress(builder.bigUint(7n, 64).coins(9n), raw(POOL)).bit(false).coins(0n).bit(false);
    },
    sends: [
      {
        op: 0x61ee542d,
        to: raw(POOL),
        sends: [
          {
            op: 0xad4eb6f5,
            to: raw(VAULT),
            body: paid(),
            sends: [{ op: 0x474f86cf, to: raw(USER), body: paid() }],
          },
        ],
      },
    ],
  };
  function paid() {
    return (builder: CellBuilder) => void builder.bigUint(7n, 64).ref(small(1)).coins(3n);
  }
  const trace = traceFrom({ to: raw(USER), sends: [unstake(STAKE), failedSwap] });

  /** The actions of the trace as `actions` stores them after a step. */
  async function storedActions(position: number): Promise<readonly Action[]> {
    const at = (projection: string) => ({ client: store.client, database: databaseOf(projection) });
    const range = { first: position, last: position };
    const book = new FactBook({ chain: at('base'), tokens: at('contracts'), detections: null }, range);
    for (;;) {
      const { actions } = classifyTrace(trace, addPools(trace, factsAt(book, position)));
      if (!(await book.lookUp())) return actions;
    }
  }

  function scopeAt(last: number, client = store.client) {
    const visible = { first: 1, last };
    const [base, contracts] = [databaseOf('base'), databaseOf('contracts')];
    const log = { info: () => {}, warn: () => expect.unreachable(), error: () => {} };
    const nothing = storelessContext();
    const context = {
      ...nothing,
      network: { ...nothing.network, label: network },
      client,
      classifyTrace: traceClassifier(log),
      vector: () => ({ ...baseVector(base, visible), contracts: viewOf(contracts, visible) }),
    };
    return openScope(context, { route: 'test', reads: ['base'], adds: ['contracts'], caller: testCaller() });
  }

  it('are read on demand by few statements, and by none while they are cached', async () => {
    const recorded = recordedStatements();
    const scope = scopeAt(9, recorded.client(store.client));
    const asked = { account: [raw(LOCK), raw(STAKE), raw(USER)], data: [], pool: [raw(POOL_V2)] };
    const read = () => readFacts(scope, scope.added.contracts!, asked, () => undefined);
    const found = await read();
    expect(found.account.get(raw(LOCK))).toMatchObject({ jettonWallet: { jetton: raw(JETTON) } });
    // Codes, tokens, contracts and parents; messages of the pool, its wallet and that wallet's parent.
    expect(recorded.take()).toHaveLength(7);
    expect(await read()).toEqual(found);
    expect(recorded.take()).toEqual([]);
  });

  const NONE = { accounts: new Map(), tokens: new Map() };
  const plain = (actions: readonly ClassifiedAction[]) =>
    actions.map(({ type, details }) => ({ type, details }));

  it.each([1, 3, 4, 9])('are the same where traces are classified on demand: step %i', async (step) => {
    const scope = scopeAt(step);
    const [onDemand] = (await classifyUnconfirmed(scope, [{ trace, input: trace }], NONE)).values();
    const stored = await storedActions(step);
    expect(plain(onDemand!.actions)).toEqual(stored.map(({ type, details }) => ({ type, details })));
    const types = onDemand!.actions.map(({ type }) => type);
    expect([types.includes('jvault_unstake'), types.includes('jetton_swap')]).toEqual([step >= 4, step >= 9]);
  });

  it('are the data of a state that no block has yet', async () => {
    const input = traceFrom({ to: raw(USER), sends: [unstake(FRESH)] });
    const boc = parseBoc(bagOf(new CellBuilder().ref(STAKE_DATA).cell()));
    const fresh: UnconfirmedAccount = {
      state: {
        status: 'active',
        balance: 1n,
        extra: [],
        codeHash: Uint8Array.fromHex(hash('5')),
        dataHash: STAKE_DATA.hash(),
        frozenHash: null,
      },
      endLt: 1n,
      cells: { boc, hashes: new CellHashes(boc), code: -1, data: boc.refs[0]! },
    };
    const accounts = new Map([[raw(FRESH), fresh]]);
    const outcomes = await classifyUnconfirmed(scopeAt(9), [{ trace: 1, input }], {
      accounts,
      tokens: new Map(),
    });
    expect(outcomes.get(1)!.actions).toContainEqual(
      expect.objectContaining({
        type: 'jvault_unstake',
        details: expect.objectContaining({ pool: raw(STAKE_POOL), asset: raw(JETTON) }),
      }),
    );
  });

  it('are none of what no state is of, and of what is no account', async () => {
    expect(await told((facts) => facts.getData(raw(POOL)), [9])).toEqual([null]);
    expect(await told((facts) => facts.getPool(raw(WALLET)), [9])).toEqual([null]);
    expect(await told((facts) => facts.getPool('none'), [9])).toEqual([null]);
  });
});
