/** The OpenAPI documents against a running local chain: a client typed by them, and every example request that they show. */
import { Check } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAUCET, JETTON, MASTERCHAIN_SHARD, NFT_COLLECTION, WALLET } from '../../src/api/example-values.ts';
import { ApiError, type Client, createClient, toQuery, wholeRows } from '../../src/client/client.ts';
import { parseAddress } from '../../src/ton/address/address.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

const accountOf = (text: string) => {
  const { workchain, hash } = parseAddress(text)!;
  return { workchain, address: hash };
};

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: object; readonly example?: object } };
  };
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly schema: object } } }>
  >;
}

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** Examples that cannot find anything here, with the statuses that may come; all others are 200. */
const REFUSED: Readonly<Record<string, readonly number[]>> = {
  '/api/v3/adjacentTransactions': [404],
  '/api/v3/pendingTransactions': [200, 404],
  '/api/v3/staking/nominatorPools/pool': [404],
  // The same message: sent once, then refused by the wallet.
  '/api/v3/message': [200, 500],
  '/api/v2/sendBoc': [200, 500],
  '/api/v2/sendBocReturnHash': [200, 500],
  '/api/v2/sendBocReturnHashNoError': [200, 400],
  '/api/v2/sendQuery': [200, 500],
  // A message that was never sent, and data that no block holds.
  '/api/v2/tryLocateTx': [404],
  '/api/v2/tryLocateResultTx': [404],
  '/api/v2/tryLocateSourceTx': [404],
};
/** Examples that must find rows, by the key of their list. */
const FILLED: Readonly<Record<string, string>> = {
  '/api/v3/blocks': 'blocks',
  '/api/v3/transactions': 'transactions',
  '/api/v3/messages': 'messages',
  '/api/v3/accountStates': 'accounts',
  '/api/v3/walletStates': 'wallets',
  '/api/v3/traces': 'traces',
  '/api/v3/jetton/masters': 'jetton_masters',
  '/api/v3/jetton/wallets': 'jetton_wallets',
  '/api/v3/nft/collections': 'nft_collections',
  '/api/v3/nft/items': 'nft_items',
  '/api/v3/dns/records': 'records',
  '/api/v3/multisig/wallets': 'multisigs',
  '/api/v3/vesting': 'vesting_contracts',
};

describe('the OpenAPI documents', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let call: Client['call'];

  beforeAll(async () => {
    api = await openLocalApi();
    call = createClient(api.url).call;
    // So that the faucet has sent something.
    await api.control.fund(accountOf(WALLET), 1_000_000_000n);
    await ready();
  }, 600_000);
  afterAll(() => api?.close());

  /** All projections answer, and what the faucet sent is classified. */
  async function ready(): Promise<void> {
    for (
      const end = Date.now() + 300_000;
      Date.now() < end;
      await new Promise((done) => setTimeout(done, 100))
    ) {
      const found = await call('GET /api/v3/actions', { account: FAUCET }).catch(() => null);
      const tokens = await call('GET /api/v3/nft/items', { collection_address: [NFT_COLLECTION] }).catch(
        () => null,
      );
      if (found && found.actions.length > 0 && tokens && tokens.nft_items.length > 0) return;
    }
    throw new Error('the chain was not indexed');
  }

  it('type a client of v3', async () => {
    const { last } = await call('GET /api/v3/masterchainInfo', {});
    expect(last.workchain).toBe(-1);
    const { transactions } = await call('GET /api/v3/transactions', {
      account: [FAUCET],
      limit: 2,
      sort: 'desc',
    });
    const [newest] = wholeRows(transactions);
    const { transactions: same } = await call('GET /api/v3/transactions', { hash: [newest!.hash] });
    expect(same.map(({ lt }) => lt)).toEqual([newest!.lt]);
    const { messages } = await call('GET /api/v3/messages', { msg_hash: [newest!.out_msgs[0]!.hash] });
    expect(messages[0]!.source).toBe(newest!.account);
    const { transactions: next } = await call('GET /api/v3/adjacentTransactions', {
      hash: newest!.hash,
      direction: 'out',
    });
    expect(next[0]!.in_msg!.hash).toBe(newest!.out_msgs[0]!.hash);
    const { traces } = await call('GET /api/v3/traces', { tx_hash: [newest!.hash] });
    expect(traces[0]!.transactions![newest!.hash]!.lt).toBe(newest!.lt);
    const few = await call('GET /api/v3/transactions', { hash: [newest!.hash], fields: ['hash', 'lt'] });
    expect(few.transactions).toEqual([{ hash: newest!.hash, lt: newest!.lt }]);
    const { actions } = await call('GET /api/v3/actions', { tx_hash: [newest!.hash] });
    expect(actions[0]!.type).toBe('ton_transfer');
    const book = await call('GET /api/v3/addressBook', { address: [JETTON] });
    expect(book[JETTON]!.interfaces).toContain('jetton_master');
    const { jetton_masters } = await call('GET /api/v3/jetton/masters', { address: [JETTON] });
    expect(jetton_masters[0]!.jetton_content.symbol).toBe('LOCAL');
    const run = await call('POST /api/v3/runGetMethod', {
      address: JETTON,
      method: 'get_jetton_data',
      stack: [],
    });
    expect(run.exit_code).toBe(0);
    const refused = call('GET /api/v3/transactions', { account: ['x'] });
    await expect(refused).rejects.toThrow(ApiError);
    await expect(refused).rejects.toMatchObject({ status: 422, body: { code: 422 } });
    // @ts-expect-error a parameter that is required is required by the type too
    await expect(call('GET /api/v3/walletStates', {})).rejects.toMatchObject({ status: 422 });
  });

  it('type a client of v2', async () => {
    const { result } = await call('GET /api/v2/getMasterchainInfo', {});
    const block = { workchain: -1, shard: MASTERCHAIN_SHARD, seqno: result.last.seqno };
    const header = await call('GET /api/v2/getBlockHeader', block);
    expect(header.result.id.root_hash).toBe(result.last.root_hash);
    const listed = await call('POST /api/v2/getBlockTransactions', block);
    expect(listed.result.req_count).toBe(40);
    const account = await call('GET /api/v2/getAddressInformation', { address: FAUCET });
    expect(account.result.state).toBe('active');
    const history = await call('GET /api/v2/getTransactions', { address: FAUCET, limit: 1 });
    expect(history.result).toHaveLength(1);
    const run = await call('POST /api/v2/runGetMethod', { address: FAUCET, method: 'seqno', stack: [] });
    expect(run.result.exit_code).toBe(0);
    const packed = await call('GET /api/v2/unpackAddress', { address: FAUCET });
    expect(String(packed.result)).toMatch(/^0:[0-9a-f]{64}$/i);
  });

  it('give a client all pages of a list', async () => {
    const hashes: string[] = [];
    const query = { account: [FAUCET], limit: 1, fields: ['hash'] };
    for await (const { transactions } of createClient(api.url).pages('GET /api/v3/transactions', query))
      hashes.push(...transactions.map(({ hash }) => hash!));
    const { transactions } = await call('GET /api/v3/transactions', { account: [FAUCET], limit: 1_000 });
    expect(hashes).toHaveLength(new Set(hashes).size);
    expect([...hashes].sort()).toEqual(transactions.map(({ hash }) => hash!).sort());
  });

  it('are named by the pages, which load whole', async () => {
    for (const name of ['v2', 'v3', 'emulate']) {
      const base = `${api.url}/api/${name}`;
      const page = await fetch(`${base}/index.html`);
      expect([name, page.status]).toEqual([name, 200]);
      const text = await page.text();
      const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
        ([, link]) => new URL(link!, page.url).href,
      );
      expect(links.length).toBeGreaterThan(3);
      for (const link of links) {
        const asset = await fetch(link);
        await asset.arrayBuffer();
        expect([link, asset.status]).toEqual([link, 200]);
      }
      // The page asks for its document here.
      const asked = (await (await fetch(`${base}/index.html/json`)).json()) as Document;
      const served = (await (await fetch(`${base}/openapi.json`)).json()) as Document;
      expect(asked).toEqual(served);
    }
  });

  // The emulation first: its message is sent by an example of v3.
  it.each(['emulate', 'v3', 'v2'])('examples of %s are answered as described', async (name) => {
    const { paths } = (await (await fetch(`${api.url}/api/${name}/openapi.json`)).json()) as Document;
    let asked = 0;
    const wrong: string[] = [];
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods)) {
        const reply = await request(path, method, operation);
        const body = (await reply.json()) as Record<string, unknown>;
        const what = `${method} ${path}: ${reply.status} ${JSON.stringify(body).slice(0, 300)}`;
        if (!(REFUSED[path] ?? [200]).includes(reply.status)) wrong.push(`status: ${what}`);
        if (!Check(schemaOf(operation, reply.status), body)) wrong.push(`schema: ${what}`);
        const list = method === 'get' ? FILLED[path] : undefined;
        if (list !== undefined && (body[list] as unknown[]).length === 0) wrong.push(`empty: ${what}`);
        asked++;
      }
    expect(wrong).toEqual([]);
    expect(asked).toBe({ v3: 55, emulate: 2, v2: 74 }[name]);
  });

  function schemaOf({ responses }: Operation, status: number): object {
    const described = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default!;
    return described.content['application/json'].schema;
  }

  /** Sends the request that the page sends where nothing is typed into it. */
  function request(
    path: string,
    method: string,
    { parameters = [], requestBody }: Operation,
  ): Promise<Response> {
    const given = parameters.filter(({ example }) => example !== undefined);
    const missing = parameters.filter(({ required, example }) => required && example === undefined);
    expect(missing, `${path} lacks an example`).toEqual([]);
    if (!requestBody)
      return fetch(
        `${api.url}${path}${toQuery(Object.fromEntries(given.map((one) => [one.name, one.example])))}`,
      );
    const { example } = requestBody.content['application/json'];
    expect(example, `${path} lacks an example`).toBeDefined();
    return fetch(`${api.url}${path}`, {
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(example),
    });
  }
});
