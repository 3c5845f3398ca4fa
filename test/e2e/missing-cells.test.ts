/** An index that begins in mid-chain: cells that its blocks leave out are named, fetched, and proved by their hashes. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginCell, Cell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer } from '../../src/api/serve-stage.ts';
import { CellsOfFolder } from '../../src/capture/files/cells-of-folder.ts';
import { fetchCells } from '../../src/projections/contracts/cells/fetch-cells.ts';
import {
  type CellStore,
  countMissing,
  listMissing,
} from '../../src/projections/contracts/cells/missing-cells.ts';
import type { StateOutlet } from '../../src/projections/contracts/cells/state-outlet.ts';
import { contractFigures } from '../../src/projections/contracts/contract-figures.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;
const FIRST = '00'.repeat(32);

describeWithData('cells that no block shows', (data) => {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-cells-'));
  let store: IndexedStore;
  let cells: CellStore;
  let app: FastifyInstance;
  beforeAll(async () => {
    // Masterchain 2660 to 2674, without the states before them.
    store = await openIndexedStore({
      folders: [join(data, 'blocks/mainnet-mc-2660')],
      isolated: true,
      contracts: true,
    });
    cells = { client: store.client, database: store.contracts!, network: store.context.network.label };
    app = await buildServer(store.context);
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const elector = async () => {
    const { accounts } = (await app.inject({ url: `/api/v3/accountStates?address=${ELECTOR}` })).json();
    return accounts[0] as {
      code_hash: string;
      data_hash: string;
      code_boc: string | null;
      data_boc: string | null;
    };
  };

  it('are named, and what lacks them is null', async () => {
    const missing = await countMissing(cells);
    expect(missing.cells).toBeGreaterThan(0);
    expect(missing.accounts).toBeGreaterThan(0);
    expect(await contractFigures(cells)).toMatchObject({
      'partial states': missing.accounts,
      'missing cells': missing.cells,
    });
    expect(await listMissing(cells, FIRST, 100_000)).toHaveLength(missing.cells);
    expect((await elector()).code_boc).toBeNull();
  });

  it('are refused if they have another hash', async () => {
    const before = await countMissing(cells);
    const [first, second] = await listMissing(cells, FIRST, 2);
    mkdirSync(join(folder, 'forged'));
    writeFileSync(join(folder, 'forged', `${first}.boc`), beginCell().storeUint(7, 32).endCell().toBoc());
    writeFileSync(join(folder, 'forged', `${second}.boc`), 'no bag of cells');
    const { fetched, refused } = await fetchCells(cells, new CellsOfFolder(join(folder, 'forged')));
    expect(fetched).toBe(0);
    expect(refused.map(({ hash }) => hash)).toEqual([first, second]);
    expect(refused[0]?.reason).toMatch(/^its hash is [0-9a-f]{64}$/);
    expect(await countMissing(cells)).toEqual(before);
    expect((await elector()).code_boc).toBeNull();
  });

  it('are fetched from a folder of states, even if it contains other files', async () => {
    mkdirSync(join(folder, 'states'));
    const state = 'mainnet_-1_8000000000000000_2659.boc';
    copyFileSync(join(data, 'accounts/states', state), join(folder, 'states', state));
    const honest = new CellsOfFolder(join(folder, 'states'));
    const mixed: StateOutlet = {
      async *cells(hashes) {
        for (const hash of hashes) yield { hash, boc: beginCell().endCell().toBoc(), origin: 'forged' };
        yield* honest.cells(hashes);
      },
    };
    const before = await countMissing(cells);
    const { fetched, refused } = await fetchCells(cells, mixed);
    expect([fetched, refused.length]).toEqual([before.cells, before.cells]);
    expect(await countMissing(cells)).toEqual({ cells: 0, accounts: 0, libraries: 0 });
    // Answers of the same blocks may be given again.
    await app.close();
    app = await buildServer(store.context);
    const { code_hash, data_hash, code_boc, data_boc } = await elector();
    expect(Cell.fromBase64(code_boc!).hash().toString('base64')).toBe(code_hash);
    expect(Cell.fromBase64(data_boc!).hash().toString('base64')).toBe(data_hash);
  });
});
