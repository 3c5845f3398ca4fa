/**
 * The fixture pack: a local chain in the folders of the real data, for tests that any chain can show. It is made once for
 * the code that makes it, and cached in `node_modules/.cache`.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Cell } from '@ton/core';
import { blockIdText } from '../../src/capture/block-id.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { generatePacks, ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';
import { transactionCells } from '../e2e/differential-core.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Folders whose code decides the bytes of the pack. */
const MAKERS = ['src/localnet', 'src/tvm', 'src/ton/cell', 'test/helpers/make-fixture-pack.ts'];
/** About 100 masterchain blocks, whose shards split into four, with each kind of the generator's traffic. */
const OPTIONS = { seed: 'fixture', shards: 4, transactions: 900, perStep: 9 } as const;

/** Returns the folder of the pack; makes it if it is not cached. */
export async function fixturePack(): Promise<string> {
  const folder = join(ROOT, 'node_modules/.cache/tonhouse-fixtures', keyOf());
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const made = mkdtempSync(`${folder}-`);
  try {
    await fill(made);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Another run has made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function keyOf(): string {
  const hash = createHash('sha256').update(JSON.stringify(OPTIONS));
  for (const maker of MAKERS)
    for (const file of filesOf(maker)) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

function filesOf(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(path, name));
}

async function fill(folder: string): Promise<void> {
  const [packs, set, states] = ['blocks/packs', 'blocks/localnet', 'accounts/states'].map((name) =>
    join(folder, name),
  );
  for (const one of [packs!, set!, states!]) mkdirSync(one, { recursive: true });
  await generatePacks({ directory: packs!, ...OPTIONS });
  for (const name of ZEROSTATE_FILES) renameSync(join(packs!, name), join(states!, `localnet_${name}`));
  const facts: Record<string, object> = {};
  const source = await openSource(`archive:${packs}`);
  try {
    for await (const { blocks } of source.steps(null, new AbortController().signal)) {
      for (const { id, boc } of blocks) {
        const file = `${blockIdText(id).replace(/[()]/g, '').replaceAll(',', '_')}.boc`;
        writeFileSync(join(set!, file), boc);
        facts[file] = factsOf(boc);
      }
    }
  } finally {
    await source.close();
  }
  writeFileSync(join(set!, 'facts.json'), JSON.stringify(facts));
}

/** Facts by @ton/core, which shares no code with ours. */
function factsOf(boc: Uint8Array): object {
  const root = Cell.fromBoc(Buffer.from(boc))[0]!;
  const transactions = transactionCells(boc).map((cell) => ({ hash: cell.hash().toString('hex') }));
  return { root_hash: root.hash().toString('hex'), tx_count: transactions.length, transactions };
}
