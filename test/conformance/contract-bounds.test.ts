import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Serving, startServing } from '../../src/api/serve-stage.ts';
import { type EmptyIndex, openEmptyIndex } from '../helpers/empty-index.ts';
import { moreRoutes } from './contract-more.ts';
import { A } from './contract-requests.ts';
import {
  type ContractParameter,
  contractEndpoints,
  mostRows,
  mostValues,
  type ValueType,
} from './contract-tables.ts';

/*
 * Requests every v3 list over HTTP at its limit and one above: rows of a page, and values of each list parameter. The
 * contract's tables have the limits; the index is empty.
 */

const HASH = 'a1'.repeat(32);
const SEQNO = 'seqno=1';

/** Parameters that a path requires, in addition to any others. */
const REQUIRED: Readonly<Record<string, string>> = {
  '/masterchainBlockShards': SEQNO,
  '/transactionsByMasterchainBlock': SEQNO,
  '/transactionsByMessage': `msg_hash=${HASH}`,
  '/dns/records': `wallet=${A}`,
  '/vesting': `contract_address=${A}`,
  '/dns/activeAuctions': `bidder=${A}`,
  '/staking/nominatorPools/nominator': `nominator=${A}`,
  '/staking/nominatorPools/nominatorEvents': `pool=${A}`,
  '/staking/nominatorPools/nominatorRewards': `pool=${A}&nominator=${A}`,
  '/staking/nominatorPools/validatorEvents': `pool=${A}`,
  '/staking/nominatorPools/validatorRewards': `pool=${A}&validator=${A}`,
};
/** Parameters that a list of values also requires. */
const BESIDE: Readonly<Record<string, string>> = {
  '/jetton/wallets jetton_address': `owner_address=${A}`,
  '/nft/items collection_address': `owner_address=${A}`,
  '/nft/items index': `collection_address=${A}`,
  '/accountStates code_hash': `address=${A}`,
  '/pendingTraces supported_action_types': `account=${A}`,
  '/vesting wallet_address': '',
};

/** A value of a type, another one for each number. */
const VALUES: Readonly<Partial<Record<ValueType, (at: number) => string>>> = {
  addr: (at) => `0:${hexOf(at)}`,
  hash: hexOf,
  str: (at) => `${at}`,
};

function hexOf(at: number): string {
  return at.toString(16).padStart(64, '0');
}

describe('the bounds of lists', () => {
  let index: EmptyIndex;
  let server: Serving;
  let count = 0;
  beforeAll(async () => {
    index = await openEmptyIndex();
    server = await startServing(index.context, { host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await server?.close();
    await index?.close();
    console.log(`contract, bounds of lists: ${count} answers checked`);
  });

  async function ask(path: string, ...queries: readonly string[]) {
    const query = queries.filter((one) => one !== '').join('&');
    const reply = await fetch(`${server.url}/api/v3${path}?${query}`);
    count++;
    const { error } = (await reply.json()) as { readonly error?: string };
    return { status: reply.status, error };
  }

  const endpoints = contractEndpoints();
  const paged = [
    ...endpoints
      .filter(({ groups }) => groups.has('P'))
      .flatMap((endpoint) => endpoint.paths.map((path) => [path, mostRows(path)] as const)),
    ...moreRoutes().flatMap(({ path, defaultLimit }) =>
      defaultLimit === null ? [] : [[path, 1_000] as const],
    ),
  ];
  const lists = endpoints.flatMap(({ parameters }) => parameters.filter(({ isList }) => isList));

  it('are those of the contract', () => {
    expect(paged.length).toBeGreaterThanOrEqual(30);
    expect(lists.length).toBeGreaterThan(30);
  });

  it.each(paged)('rows of %s: %i', async (path, most) => {
    const required = REQUIRED[path] ?? '';
    const plain = await ask(path, required);
    expect([200, 404]).toContain(plain.status);
    expect(await ask(path, required, `limit=${most}`)).toEqual(plain);
    expect(await ask(path, required, `limit=${most + 1}`)).toEqual({
      status: 422,
      error: `limit is not allowed: ${most + 1} > ${most}`,
    });
  });

  it.each(lists.map((one) => [one.path, one.name, one] as const))(
    'values of %s: %s',
    async (path, name, list) => {
      const most = mostValues(path);
      const beside = besideOf(list);
      const values = Array.from({ length: most + 1 }, (_, at) => VALUES[list.type]!(at));
      const forms = [(some: readonly string[]) => some.map((one) => `${name}=${one}`).join('&')];
      // Lists of texts are only repeated.
      if (list.type !== 'str') forms.push((some) => `${name}=${some.join()}`);
      for (const write of forms) {
        const full = await ask(path, beside, write(values.slice(0, most)));
        expect([full.status, full.error ?? '']).toEqual([
          full.status === 404 ? 404 : 200,
          full.status === 404 ? expect.stringContaining('not found') : '',
        ]);
        const more = await ask(path, beside, write(values));
        expect([more.status, more.error]).toEqual([
          422,
          expect.stringMatching(new RegExp(`maximum .*\\b${most}\\b`)),
        ]);
      }
    },
  );
});

/** A request of a path must have what it requires, unless the list is that. */
function besideOf({ path, name }: ContractParameter): string {
  const required = REQUIRED[path] ?? '';
  return BESIDE[`${path} ${name}`] ?? (required.startsWith(`${name}=`) ? '' : required);
}
