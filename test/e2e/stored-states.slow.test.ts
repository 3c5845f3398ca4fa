/** Code and data of every account of the shared states, of recorded accounts, and of a chain from its zerostates. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellKey, readCompleteCells } from '../../src/api/entities/accounts/cell-index.ts';
import { openScope } from '../../src/api/query/scope.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { contractFigures } from '../../src/projections/contracts/contract-figures.ts';
import { detectionFigures } from '../../src/projections/detections/detection-figures.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { testCaller } from '../helpers/test-caller.ts';

interface AccountFacts {
  readonly address: string;
  readonly kind?: string;
  readonly status: string;
  readonly code_hash?: string;
  readonly data_hash?: string;
}

interface AccountAnswer {
  readonly address: string;
  readonly code_hash?: string;
  readonly data_hash?: string;
  readonly code_boc?: string | null;
  readonly data_boc?: string | null;
}

const readJson = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;
const hashOf = (boc: string | null | undefined) => boc && Cell.fromBase64(boc).hash().toString('base64');

/** `/accountStates` of all accounts of the store, in pages. */
async function allStates(store: IndexedStore): Promise<AccountAnswer[]> {
  const app = await buildServer(store.context);
  const { rows } = await store.client.queryRows<[string]>(
    `SELECT DISTINCT concat(toString(workchain), ':', hex(account)) FROM ${store.database}.account_states ORDER BY 1`,
    { route: 'test' },
  );
  const found: AccountAnswer[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const query = new URLSearchParams(rows.slice(at, at + 100).map(([raw]) => ['address', raw]));
    const response = await app.inject({ url: `/api/v3/accountStates?include_boc=true&${query}` });
    expect([response.statusCode, response.body.slice(0, 200)]).toEqual([200, expect.any(String)]);
    found.push(...(response.json() as { accounts: AccountAnswer[] }).accounts);
  }
  await app.close();
  return found;
}

function expectWhole(states: readonly AccountAnswer[]): void {
  for (const { address, code_hash, data_hash, code_boc, data_boc } of states)
    expect([address, hashOf(code_boc), hashOf(data_boc)]).toEqual([address, code_hash, data_hash]);
}

describeWithData('states of the store', (data) => {
  describe('given whole', () => {
    const folder = join(data, 'accounts', 'states');
    const names = readdirSync(folder).flatMap((name) => /^(?!proof)(.*)\.boc$/.exec(name)?.[1] ?? []);
    const recorded = readJson<Record<string, AccountFacts>>(join(data, 'accounts', 'facts.json'));
    let store: IndexedStore;
    beforeAll(async () => {
      const accounts = Object.entries(recorded)
        .filter(([, { status }]) => status !== 'nonexist')
        .map(([file, { kind }]) => {
          const root = Cell.fromBoc(readFileSync(join(data, 'accounts', `${file}.boc`)))[0]!;
          return new Uint8Array((kind === 'account' ? root : root.refs[0]!).toBoc());
        });
      const states = names.map((name) => join(folder, `${name}.boc`));
      store = await openIndexedStore({
        folders: [],
        states,
        accounts,
        contracts: true,
        visible: { first: 0, last: 1 },
      });
    }, 300_000);
    afterAll(() => store?.close());

    it('has code and data of every account by their hashes', async () => {
      const facts = names.flatMap(
        (name) => readJson<{ accounts?: AccountFacts[] }>(join(folder, `${name}.facts.json`)).accounts ?? [],
      );
      const { rows } = await store.client.queryRows<[string, string]>(
        `SELECT lower(hex(code_hash)), lower(hex(data_hash)) FROM ${store.database}.account_states`,
        { route: 'test' },
      );
      const stated = [...facts, ...Object.values(recorded)].flatMap((one) => [one.code_hash, one.data_hash]);
      const hashes = new Set(
        [...rows.flat(), ...stated].filter((hash) => hash !== undefined && !/^0+$/.test(hash)),
      );
      const keys = [...hashes].map((hash) => cellKey(Buffer.from(hash!, 'hex')));
      const scope = openScope(store.context, { route: 'test', reads: ['base'], caller: testCaller() });
      const cells = await readCompleteCells(scope, keys, []);
      expect(keys.filter((key) => !cells.has(key))).toEqual([]);
      for (const [key, cell] of cells) expect(cell.key).toBe(key);
      console.log(`${rows.length} states, ${facts.length} of them with facts: ${keys.length} codes and data`);
      expect(rows.length).toBeGreaterThan(6_000);
    }, 300_000);

    it('answers them with their states', async () => {
      expectWhole(await allStates(store));
    }, 300_000);

    it('knows every code, and counts the accounts by kind', async () => {
      const { client, database, context } = store;
      const contracts = store.contracts!;
      const { rows } = await client.queryRows<[string, string, string]>(
        `SELECT concat(toString(workchain), ':', hex(account)),
           toString(code_hash IN (SELECT code_hash FROM ${contracts}.codes)), lower(hex(any(code_hash)))
         FROM ${database}.account_states WHERE status = 'active' GROUP BY ALL ORDER BY 1`,
        { route: 'test' },
      );
      const counts = new Map<string, number>();
      /** Accounts by code without a kind: the contract's table names none of these codes. */
      const untold = new Map<string, number>();
      const app = await buildServer(context);
      // A library cell alone does not identify a code.
      const unseen = rows.filter(([, isSeen]) => isSeen !== '1').map(([raw]) => raw);
      for (const raw of unseen) {
        const reply = await app.inject({ url: `/api/v3/accountStates?address=${raw}` });
        const [account] = (reply.json() as { accounts: AccountAnswer[] }).accounts;
        expect([raw, Cell.fromBase64(account!.code_boc!).isExotic]).toEqual([raw, true]);
      }
      for (let at = 0; at < rows.length; at += 1_000) {
        const address = rows.slice(at, at + 1_000).map(([raw]) => raw);
        const reply = await app.inject({ url: `/api/v3/addressBook?address=${address.join(',')}` });
        const book = reply.json() as Record<string, { interfaces: string[] | null }>;
        for (const [raw, , code] of rows.slice(at, at + 1_000))
          if (!book[raw]?.interfaces?.length) untold.set(code, (untold.get(code) ?? 0) + 1);
        for (const { interfaces } of Object.values(book))
          for (const kind of new Set(interfaces?.length ? interfaces : ['none']))
            counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      await app.close();
      const none = counts.get('none') ?? 0;
      const network = context.network.label;
      const figures = {
        ...(await contractFigures({ client, database: contracts, network })),
        ...(await detectionFigures({ client, database: store.detections!, network }, 'contracts')),
      };
      const byKind = [...counts].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
      const rate = (100 * (1 - none / rows.length)).toFixed(1);
      console.log(`${rate} % of ${rows.length} active accounts have a kind: ${byKind.join(', ')}`, figures);
      const largest = [...untold].sort(([, a], [, b]) => b - a).slice(0, 8);
      console.log(`${untold.size} codes without a kind, the largest groups:`, Object.fromEntries(largest));
      expect([...untold.values()].reduce((sum, count) => sum + count, 0)).toBe(none);
      expect(none).toBeLessThan(rows.length / 2);
      // None was examined yet.
      const { 'unknown token codes': tokens, 'unknown sale codes': sales, 'queued codes': queued } = figures;
      expect(queued).toBeGreaterThanOrEqual(Math.max(tokens!, sales!));
      expect(queued).toBeLessThanOrEqual(tokens! + sales!);
      // Codes without a kind are counted, in earlier states of an account too: library cells count when followed.
      const seen = new Set(rows.filter(([, isSeen]) => isSeen === '1').map(([, , code]) => code));
      const nameless = [...untold.keys()].filter((code) => seen.has(code)).length;
      expect(nameless).toBeGreaterThan(0);
      expect(figures['nameless codes']).toBeGreaterThanOrEqual(nameless);
    }, 300_000);
  });

  describe('of a chain from its zerostates', () => {
    let store: IndexedStore;
    beforeAll(async () => {
      const states = [-1, 0].map((workchain) =>
        join(data, `accounts/states/mainnet_zerostate_${workchain}.boc`),
      );
      store = await openIndexedStore({
        folders: [join(data, 'blocks/mainnet-genesis-0001')],
        states,
        contracts: true,
      });
    }, 300_000);
    afterAll(() => store?.close());

    it('are complete, even if their blocks omit parts', async () => {
      const states = await allStates(store);
      expectWhole(states);
      expect(states.filter(({ code_boc }) => code_boc).length).toBeGreaterThan(5);
    }, 300_000);

    it('are those of any masterchain block', async () => {
      const app = await buildServer(store.context);
      const { rows } = await store.client.queryRows<[string, number, string, string]>(
        `SELECT concat(toString(workchain), ':', hex(account)), mc_seqno, base64Encode(code_hash), base64Encode(data_hash)
         FROM ${store.database}.account_states WHERE status = 'active' AND mc_seqno > 0 ORDER BY lt LIMIT 1 BY mc_seqno, account LIMIT 120`,
        { route: 'test' },
      );
      for (const [address, seqno, code, stored] of rows) {
        const response = await app.inject({
          url: `/api/v2/getAddressInformation?address=${encodeURIComponent(address)}&seqno=${seqno}`,
        });
        const { result } = response.json() as { result: { code: string; data: string } };
        expect([address, seqno, hashOf(result.code), hashOf(result.data)]).toEqual([
          address,
          seqno,
          code,
          stored,
        ]);
      }
      expect(rows.length).toBeGreaterThan(50);
      await app.close();
    }, 300_000);

    it('names no cell that is missing', async () => {
      const { rows } = await store.client.queryRows<[string]>(
        `SELECT toString(count()) FROM ${store.contracts}.absent_cells
         WHERE reinterpretAsUInt64(reverse(substring(hash, 1, 8))) NOT IN (SELECT hash8 FROM ${store.contracts}.cell_places)`,
        { route: 'test' },
      );
      expect(rows).toEqual([['0']]);
    });
  });
});
