import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../src/api/serve-stage.ts';
import type { AccountStatesAnswer } from '../../../src/api/v3/schemas/account.ts';
import { hexLiterals } from '../../helpers/golden-sql.ts';
import { type IndexedStore, openIndexedStore, withDetections } from '../../helpers/indexed-store.ts';
import { recordedStatements } from '../../helpers/recorded-statements.ts';
import { describeWithData } from '../../helpers/shared-data.ts';

/*
 * The most frequent requests of wallets take few short statements: the statements of single answers are counted over
 * generated tokens and real states, and no token is read twice for one of them.
 */

const STEPS = 100;
const VISIBLE = { first: 1, last: STEPS };
const COUNT = 30;
const CODE = "SHA256('code')";
const OWNER = "SHA256('owner')";
const id = (name: string) => `SHA256(concat('${name}', toString(number)))`;
const children = (kind: string, name: string, parent: string) =>
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, has_parent, parent, child_code, amount, has_owner, owner)
   SELECT 2, ${id(name)}, 1000 + number, '${kind}', true, true, 2, true, SHA256('${parent}'), ${CODE}, number, true, ${OWNER} FROM numbers(${COUNT})`;
const parent = (kind: string, name: string) =>
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, child_code, content)
   SELECT 1, SHA256('${name}'), 1, '${kind}', true, true, 1, ${CODE}, '{"symbol":"T","name":"T"}' FROM numbers(1)`;
const FILLS = [
  parent('jetton_master', 'master'),
  parent('nft_collection', 'collection'),
  children('jetton_wallet', 'wallet', 'master'),
  children('nft_item', 'item', 'collection'),
  // Every fifth was aborted, every seventh goes from the owner to the owner.
  `land_token_transfers (mc_seqno, kind, account, lt, hash, now, aborted, has_parent, parent, child_code, has_source, source, has_destination, destination)
   SELECT 3, 'jetton_transfer', ${id('wallet')}, 5000 + number * 3, ${id('transfer')}, 1600000000 + number, number % 5 = 0, true, SHA256('master'), ${CODE},
     true, if(number % 2 = 0 OR number % 7 = 0, ${OWNER}, SHA256('other')), true, if(number % 2 = 1 OR number % 7 = 0, ${OWNER}, SHA256('other')) FROM numbers(${COUNT})`,
];

/** Ids that a statement contains as literals. */
const idsOf = (sql: string) => [
  ...new Set([...hexLiterals(sql).matchAll(/unhex\('([0-9A-F]{64})'\)/gi)].map(([, hash]) => hash!)),
];

describe('an answer about tokens', { timeout: 300_000 }, () => {
  let store: IndexedStore;
  let app: FastifyInstance;
  const asked = recordedStatements();
  const ids = { owner: '', master: '', collection: '' };
  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [],
      visible: VISIBLE,
      contracts: true,
      settings: { responseCacheMb: 0 },
    });
    for (const fill of FILLS)
      await store.client.command(`INSERT INTO ${store.contracts}.${fill}`, { route: 'test' });
    for (const name of Object.keys(ids) as (keyof typeof ids)[]) {
      const { rows } = await store.client.queryRows<[string]>(`SELECT hex(SHA256('${name}'))`, {
        route: 'test',
      });
      ids[name] = `0:${rows[0]![0]}`;
    }
    app = await buildServer({
      ...withDetections(store),
      client: asked.client(store.context.client),
    });
  });
  afterAll(async () => {
    await app?.close();
    await store?.close();
  });

  const get = async (path: string) => {
    asked.take();
    const reply = await app.inject(`/api/v3${path}`);
    expect(reply.statusCode).toBe(200);
    return { answer: reply.json() as Record<string, unknown>, statements: asked.take() };
  };
  const inTransfers = Array.from({ length: COUNT }, (_, n) => n).filter((n) => n % 5 !== 0);

  it.each<[string, string, () => string, number, number, number]>([
    [
      'wallets of an owner',
      'jetton_wallets',
      () => `/jetton/wallets?owner_address=${ids.owner}`,
      COUNT,
      9,
      11,
    ],
    [
      'holders of a master',
      'jetton_wallets',
      () => `/jetton/wallets?jetton_address=${ids.master}&sort=desc`,
      COUNT,
      11,
      12,
    ],
    ['items of an owner', 'nft_items', () => `/nft/items?owner_address=${ids.owner}`, COUNT, 13, 14],
    [
      'transfers of an owner',
      'jetton_transfers',
      () => `/jetton/transfers?owner_address=${ids.owner}`,
      inTransfers.length,
      8,
      10,
    ],
  ])(
    '%s takes few statements, and reads no token twice',
    async (_name, list, path, count, most, mostSelects) => {
      const { answer, statements } = await get(`${path()}&limit=100`);
      expect(answer[list]).toHaveLength(count);
      expect(Object.keys(answer.metadata as object).length).toBeGreaterThan(0);
      const selects = statements.flatMap((sql) => sql.match(/\bSELECT\b/g) ?? []).length;
      expect({ statements: statements.length, selects }).toEqual({
        statements: expect.toSatisfy((found: number) => found <= most),
        selects: expect.toSatisfy((found: number) => found <= mostSelects),
      });
      const read = statements.filter((sql) => sql.includes('.tokens_latest PREWHERE account IN'));
      const tokens = read.flatMap(idsOf);
      expect(tokens.length).toBeGreaterThanOrEqual(1);
      expect(tokens).toEqual([...new Set(tokens)]);
    },
  );

  it('gives the transfers that the filters take, each once, newest first', async () => {
    const lts = async (query: string) => {
      const { answer } = await get(`/jetton/transfers?${query}&limit=100`);
      return (answer.jetton_transfers as { transaction_lt: string }[]).map(({ transaction_lt }) =>
        Number(transaction_lt),
      );
    };
    const of = (wanted: (n: number) => boolean) =>
      inTransfers
        .filter(wanted)
        .map((n) => 5000 + n * 3)
        .reverse();
    const owner = `owner_address=${ids.owner}`;
    expect(await lts(owner)).toEqual(of(() => true));
    expect(await lts(`${owner}&direction=in`)).toEqual(of((n) => n % 2 === 1 || n % 7 === 0));
    expect(await lts(`${owner}&direction=out`)).toEqual(of((n) => n % 2 === 0 || n % 7 === 0));
    expect(await lts(`${owner}&start_lt=5010&end_lt=5060`)).toEqual(of((n) => n >= 4 && n <= 20));
    expect(await lts(`${owner}&jetton_master=${ids.master}&start_utime=1600000003`)).toEqual(
      of((n) => n >= 3),
    );
    expect(await lts(`${owner}&jetton_master=${ids.collection}`)).toEqual([]);
    expect(await lts(`jetton_master=${ids.master}`)).toEqual(of(() => true));
    expect((await lts(`${owner}&offset=3&sort=asc`))[0]).toBe(5000 + inTransfers[3]! * 3);
  });

  it('looks up the tokens of concurrent answers by shared statements, and accounts that are no token once', async () => {
    const strangers = Array.from({ length: 6 }, (_, n) => `0:${String(n).repeat(64)}`);
    const ask = async () => {
      asked.take();
      const replies = await Promise.all(
        [...strangers, ids.master].map((address) => app.inject(`/api/v3/metadata?address=${address}`)),
      );
      const found = replies.map((reply) => Object.keys(reply.json() as object));
      expect(found).toEqual([...strangers.map(() => []), [ids.master]]);
      const statements = asked.take();
      const of = (table: string) => statements.filter((sql) => sql.includes(table));
      return { tokens: of('.tokens_latest PREWHERE') };
    };
    const first = await ask();
    expect(first.tokens.length).toBeLessThan(4);
    expect(strangers.every((one) => first.tokens.some((sql) => idsOf(sql).includes(one.slice(2))))).toBe(
      true,
    );
    const again = await ask();
    expect(again.tokens).toEqual([]);
  });
});

describeWithData('the code and data of a state', (data) => {
  let store: IndexedStore;
  let app: FastifyInstance;
  const asked = recordedStatements();
  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [`${data}/blocks/mainnet-single`],
      isolated: true,
      settings: { responseCacheMb: 0 },
    });
    app = await buildServer({ ...store.context, client: asked.client(store.context.client) });
  });
  afterAll(async () => {
    await app?.close();
    await store?.close();
  });

  it('are read once, and then served from memory for equal values', async () => {
    const top = await app.inject('/api/v3/topAccountsByBalance?limit=200');
    const accounts = (top.json() as { account: string }[]).map(({ account }) => account);
    const ask = async (address: string) => {
      asked.take();
      const { body } = await app.inject(`/api/v3/accountStates?address=${address}`);
      return { body, cells: asked.take().filter((sql) => sql.includes('.account_cells')).length };
    };
    let whole = 0;
    for (const account of accounts) {
      const [first, again] = [await ask(account), await ask(account)];
      expect(again.body).toBe(first.body);
      const [state] = (JSON.parse(first.body) as AccountStatesAnswer).accounts;
      if (!state?.code_boc || !state.data_boc) continue;
      whole++;
      expect({ account, cells: again.cells }).toEqual({ account, cells: 0 });
    }
    expect(whole).toBeGreaterThan(5);
  });
});
