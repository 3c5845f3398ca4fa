/** `--isolated` through the command line, on blocks that are made here. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blockIdText } from '../../src/capture/block-id.ts';
import type { SourceBlock } from '../../src/capture/source.ts';
import { breakMerkleUpdate, changeTime } from '../helpers/break-block.ts';
import { makeLocalBlocks } from '../helpers/local-blocks.ts';
import { runCli } from '../helpers/run-cli.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-isolated-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let blocks: readonly SourceBlock[];
beforeAll(async () => {
  blocks = (await makeLocalBlocks()).flatMap((step) => step.blocks);
});

const isOf = (workchain: number) => (block: SourceBlock) => block.id.workchain === workchain;

function folderOf(files: Readonly<Record<string, Uint8Array>>): string {
  const folder = mkdtempSync(join(root, 'set-'));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
}

async function index(folder: string, ...flags: string[]) {
  const directory = mkdtempSync(join(root, 'data-'));
  const { code, stdout, stderr } = await runCli([
    'index',
    `isolated:${folder}`,
    '--data',
    directory,
    ...flags,
  ]);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1) || 'null') as Record<string, number>;
  const { stdout: list } = await runCli(['dead-letters', 'list', '--data', directory, '--json']);
  return { code, summary, stderr, directory, letters: JSON.parse(list) as Record<string, string>[] };
}

it('a block whose Merkle update is inconsistent is a dead letter, unless a lower level is set', async () => {
  const block = blocks.filter(isOf(0)).find(({ boc }) => boc.length > 2_000)!;
  const folder = folderOf({
    'good.boc': blocks.find(isOf(-1))!.boc,
    'broken.boc': breakMerkleUpdate(block.boc),
  });
  const proved = await index(folder);
  expect(proved.summary).toMatchObject({ blocks: 1, dead_letters: 1 });
  expect(proved.letters).toMatchObject([{ key: blockIdText(block.id), code: 'merkle', stage: 'decode' }]);
  expect(proved.code).toBe(1);
  const asked = await index(folder, '--verify-level', 'tx');
  expect(asked.summary).toMatchObject({ blocks: 2, dead_letters: 0 });
  expect(asked.code).toBe(0);
});

it('files that claim one id do not stop the others: what is not taken is a dead letter by name', async () => {
  const [first, second, third] = blocks.filter(isOf(-1));
  const folder = folderOf({
    'first.boc': first!.boc,
    'second.boc': second!.boc,
    'a-changed.boc': changeTime(first!.boc),
    'third.boc': third!.boc,
    'third-changed.boc': changeTime(third!.boc),
  });
  const { code, summary, letters } = await index(folder);
  expect(summary).toMatchObject({ blocks: 2, dead_letters: 3 });
  expect(letters.map(({ origin }) => origin)).toEqual(
    ['a-changed.boc', 'third-changed.boc', 'third.boc'].map((name) => join(folder, name)),
  );
  for (const letter of letters) {
    expect(letter).toMatchObject({ stage: 'capture', code: 'rival-block' });
    expect(letter.error).toContain('its id is claimed by');
  }
  expect(letters[0]!.error).toContain(join(folder, 'second.boc'));
  expect(code).toBe(1);
});

it('has only the projection base: an answer that needs another one names it, and recommends no command that is refused', async () => {
  const { directory } = await index(folderOf({ 'one.boc': blocks.find(isOf(-1))!.boc }));
  const cells = await runCli(['cells', '--data', directory]);
  expect(cells.code).toBe(2);
  expect(cells.stderr).toContain('an index of unrelated blocks (--isolated) has only the projection base');
  expect(cells.stderr).not.toContain('`');
  for (const name of ['activity', 'contracts', 'traces', 'actions']) {
    const replay = await runCli(['replay', name, '--data', directory, '--dry-run']);
    expect(replay.code, name).toBe(2);
    expect(replay.stderr).toContain(
      `no projection ${name}: an index of unrelated blocks (--isolated) has only base`,
    );
  }
});

it('the error of a chain without the projection contracts has the command that adds it', async () => {
  const [zero] = await makeLocalBlocks();
  const states = zero!.states.map(({ boc }, i) => {
    const file = join(root, `zero-${i}.boc`);
    writeFileSync(file, boc);
    return ['--state', file];
  });
  const folder = folderOf(Object.fromEntries(blocks.map(({ boc }, i) => [`${i}.boc`, boc])));
  const data = mkdtempSync(join(root, 'data-'));
  const start = ['index', `files:${folder}`, ...states.flat(), '--data', data];
  expect(await runCli([...start, '--projections', 'base'])).toMatchObject({ code: 0 });
  const refused = await runCli(['cells', '--data', data]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('name it in --projections of `index` or `up`');
  expect(await runCli([...start, '--projections', 'base,contracts'])).toMatchObject({ code: 0 });
  expect(await runCli(['cells', '--data', data])).toMatchObject({ code: 0 });
});
