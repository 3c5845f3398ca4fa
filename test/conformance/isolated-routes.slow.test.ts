/** Every route over unrelated blocks: a set may end with shard blocks, or have no masterchain block at all. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../src/api/v2/methods/methods.ts';
import { ENDPOINTS } from '../../src/api/v3/routes/endpoints.ts';
import { type IsolatedApi, openIsolatedApi } from '../helpers/isolated-api.ts';
import { makeLocalBlocks } from '../helpers/local-blocks.ts';
import { sharedData } from '../helpers/shared-data-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-routes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Blocks of the local chain that `wanted` picks, as files of a folder. */
async function localFolder(wanted: (workchain: number, seqno: number) => boolean): Promise<string> {
  const folder = mkdtempSync(join(root, 'set-'));
  for (const { blocks } of await makeLocalBlocks())
    for (const { id, boc } of blocks)
      if (wanted(id.workchain, id.seqno)) writeFileSync(join(folder, `${id.workchain}_${id.seqno}.boc`), boc);
  return folder;
}

const folders: [string, () => Promise<string>][] = [
  [
    'a local chain whose last step has no masterchain block',
    () => localFolder((wc, seqno) => wc === 0 || seqno < 3),
  ],
  ['only shard blocks', () => localFolder((workchain) => workchain === 0)],
  ['only masterchain blocks', () => localFolder((workchain) => workchain === -1)],
];
for (const set of ['mainnet-single', 'global-217'])
  if (sharedData) folders.push([set, async () => join(sharedData as string, 'blocks', set)]);
if (!sharedData) console.log('skipped: sets of the shared data: ../shared/data is not here');

interface Facts {
  readonly hasMasterchain: boolean;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** A value or more for every parameter that a route takes, from what is indexed. */
async function readFacts({ client, database: db }: IsolatedApi): Promise<Facts> {
  const column = async (sql: string) =>
    (await client.queryRows<[string]>(sql, { route: 'test', params: { db } })).rows.map(
      ([value]) => `${value}`,
    );
  const addresses = await column(
    `SELECT concat(toString(workchain), ':', hex(account)) FROM {db:Identifier}.account_states ORDER BY mc_seqno, account LIMIT 1 BY mc_seqno LIMIT 2`,
  );
  const seqnos = await column(
    'SELECT DISTINCT toString(mc_seqno) AS s FROM {db:Identifier}.blocks ORDER BY mc_seqno LIMIT 5',
  );
  const hashes = await column('SELECT hex(hash) FROM {db:Identifier}.transactions ORDER BY lt LIMIT 1');
  const lts = await column('SELECT toString(lt) FROM {db:Identifier}.transactions ORDER BY lt LIMIT 1');
  const masterchain = await column('SELECT seqno FROM {db:Identifier}.blocks WHERE workchain = -1');
  const address = [...addresses, `0:${'00'.repeat(32)}`];
  return {
    hasMasterchain: masterchain.length > 0,
    values: {
      address,
      account: address,
      source: address.slice(0, 1),
      destination: address.slice(0, 1),
      addresses: address.slice(0, 1),
      seqno: seqnos,
      mc_seqno: seqnos,
      workchain: ['-1', '0'],
      shard: ['-9223372036854775808', '0', '4611686018427387904'],
      hash: [...hashes, 'AA'.repeat(32)],
      msg_hash: hashes,
      lt: lts,
      created_lt: lts,
      libraries: ['AA'.repeat(32)],
      config_id: ['0', '15'],
      unixtime: ['1'],
      hashes,
    },
  };
}

function* queries(names: readonly string[], values: Facts['values']): Generator<string> {
  const known = names.filter((name) => values[name]?.length);
  const usual = Object.fromEntries(known.map((name) => [name, values[name]![0]!]));
  const text = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  yield '';
  yield text(usual);
  for (const name of known) {
    const { [name]: _left, ...others } = usual;
    yield text(others);
    for (const value of values[name]!) {
      yield text({ [name]: value });
      yield text({ ...usual, [name]: value });
    }
  }
  const { seqno: _seqno, ...newest } = usual;
  for (const address of values.address ?? [])
    if (known.includes('address')) yield text({ ...newest, address });
}

describe.each(folders)('every route over %s', (_name, folder) => {
  let api: IsolatedApi;
  let facts: Facts;
  beforeAll(async () => {
    api = await openIsolatedApi(await folder());
    facts = await readFacts(api);
  });
  afterAll(async () => {
    await api?.close();
  });

  it('answers, or names what is missing in the words of the contract', async () => {
    const failed: string[] = [];
    let asked = 0;
    for (const url of allUrls(facts)) {
      const { statusCode, body } = await api.app.inject({ url });
      asked++;
      if (statusCode >= 500 && !isDocumented(url, body, facts))
        failed.push(`${url}: ${statusCode} ${body.slice(0, 200)}`);
    }
    expect(failed).toEqual([]);
    expect(api.logged).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  });

  it('shows states with a block, and lists of shards for every masterchain block', async () => {
    const result = async (url: string) => (await api.app.inject({ url: `/api/v2/${url}` })).json();
    for (const address of facts.values.address!)
      for (const name of ['getAddressInformation', 'getExtendedAddressInformation', 'getWalletInformation']) {
        const answer = await result(`${name}?address=${address}`);
        // Unrelated blocks say nothing of accounts that are in none of them.
        if (UNSEEN.test(answer.error)) continue;
        expect(answer, name).toMatchObject({ ok: true });
        const method = METHODS.find((known) => known.name === name)!;
        expect([...Value.Errors(method.result, answer.result)].slice(0, 2)).toEqual([]);
      }
    const masterchain = await api.client.queryRows<[number]>(
      'SELECT seqno FROM {db:Identifier}.blocks WHERE workchain = -1 LIMIT 40',
      { route: 'test', params: { db: api.database } },
    );
    for (const [seqno] of masterchain.rows)
      expect(await result(`shards?seqno=${seqno}`)).toMatchObject({
        ok: true,
        result: { '@type': 'blocks.shards' },
      });
  });
});

/** An account is in no block of the index. */
const UNSEEN = /LITE_SERVER_NOTREADY: account -?\d+:[0-9A-F]{64} is not in this index/;

/** Routes of v3 that read a projection in chain order. */
const CHAIN_ROUTES = ENDPOINTS.filter(({ reads }) => reads.some((name) => name !== 'base')).map(
  ({ path }) => path,
);

function* allUrls({ values }: Facts): Generator<string> {
  for (const { name, aliases, parameters } of METHODS)
    for (const query of queries(Object.keys(parameters), values))
      for (const path of [name, ...aliases]) yield `/api/v2/${path}?${query}`;
  for (const { path, parameters } of ENDPOINTS)
    for (const query of queries(Object.keys(parameters), values)) yield `/api/v3${path}?${query}`;
}

/**
 * v2 answers LITE_SERVER_ for a missing block or state; v3 has no information without a masterchain block, and isolated
 * blocks have no projections in chain order (docs/decisions/0021).
 */
function isDocumented(url: string, body: string, { hasMasterchain }: Facts): boolean {
  if (url.startsWith('/api/v2/')) {
    const { error = '' } = JSON.parse(body) as { error?: string };
    // The last one: a name is looked up at an account that resolves none (v2-endpoints, dnsResolve).
    return /^LITE_SERVER_|no workers available|^Exit code -?\d+ != 0$/.test(error);
  }
  if (CHAIN_ROUTES.some((path) => url.startsWith(`/api/v3${path}?`))) return body.includes('"code":501');
  if (/^\/api\/v3\/(addressInformation|account|walletInformation|wallet)\?/.test(url))
    return UNSEEN.test(body);
  // The elector's data is in no single block.
  if (/^\/api\/v3\/validators\/(elections|complaints)\?/.test(url))
    return body.includes('LITE_SERVER_NOTREADY');
  return url.startsWith('/api/v3/masterchainInfo') && !hasMasterchain;
}
