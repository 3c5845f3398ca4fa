/** `tonhouse cells` on an index that begins in mid-chain: it names what is missing, refuses what is forged, and fetches. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLocalBlocks } from '../helpers/local-blocks.ts';
import { runCli } from '../helpers/run-cli.ts';

const NETWORK = `local=${'1'.repeat(64)}:${'2'.repeat(64)}`;
/** Steps that the index does not have. */
const LEFT_OUT = 3;

interface Report {
  readonly cells: number;
  readonly accounts: number;
  readonly libraries: number;
  readonly hashes: readonly string[];
}

describe('tonhouse cells', { timeout: 600_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'tonhouse-cells-command-'));
  const folder = (name: string, bags: readonly Uint8Array[]) => {
    mkdirSync(join(root, name));
    for (const [i, bag] of bags.entries()) writeFileSync(join(root, name, `${i}.boc`), bag);
    return join(root, name);
  };
  const data = join(root, 'data');
  const cells = (...args: string[]) => runCli(['cells', '--data', data, ...args]);
  const report = async () => JSON.parse((await cells('--json')).stdout) as Report;
  let states: string;

  beforeAll(async () => {
    const steps = await makeLocalBlocks();
    const blocks = steps.slice(LEFT_OUT).flatMap((step) => step.blocks.map(({ boc }) => boc));
    states = folder(
      'states',
      steps.flatMap((step) => step.states.map(({ boc }) => boc)),
    );
    const source = `files:${folder('blocks', blocks)}`;
    const index = ['index', source, '--network', NETWORK, '--data', data, '--projections', 'base,contracts'];
    expect(await runCli(index)).toMatchObject({ code: 0 });
  }, 600_000);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('names the cells that no block shows, for people and as JSON, and changes nothing', async () => {
    const missing = await report();
    expect(missing.cells).toBeGreaterThan(0);
    expect(missing.accounts).toBeGreaterThan(0);
    expect(missing).toMatchObject({ libraries: 0, hashes: { length: missing.cells } });
    const { code, stdout } = await cells();
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        `${missing.cells} cells are missing, of states of ${missing.accounts} accounts; 0 of them are libraries`,
        ...missing.hashes.map((hash) => `  ${hash}`),
        '',
      ],
    ]);
    expect(await report()).toEqual(missing);
  });

  it('refuses a cell of another hash with code 1, and fetches the cells of a folder of states', async () => {
    const missing = await report();
    const forged = folder('forged', []);
    writeFileSync(join(forged, `${missing.hashes[0]}.boc`), 'no bag of cells');
    const refused = await cells('--from', forged);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(new RegExp(`^0 cells fetched\nrefused: ${missing.hashes[0]} of .*forged`));
    expect(await report()).toEqual(missing);

    const { code, stdout } = await cells('--from', states, '--json');
    const { fetched, refused: none, ...left } = JSON.parse(stdout);
    expect([code, fetched, none]).toEqual([0, missing.cells, []]);
    expect(left).toEqual({ cells: 0, accounts: 0, libraries: 0, hashes: [] });
    const status = await runCli(['status', '--data', data]);
    expect(status.stdout).toMatch(/^contracts .*, 0 partial states, 0 missing cells, 0 missing libraries/m);
  });

  it('ends with code 2 and advice if the projection is off', async () => {
    const other = join(root, 'other');
    const index = [
      'index',
      `files:${join(root, 'blocks')}`,
      '--network',
      NETWORK,
      '--data',
      other,
      '--projections',
      'base',
    ];
    expect(await runCli(index)).toMatchObject({ code: 0 });
    const { code, stderr } = await runCli(['cells', '--data', other]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/name it in --projections of `index` or `up`/)]);
  });
});
