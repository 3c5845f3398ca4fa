import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanPack } from '../../../src/capture/archive/scan-pack.ts';
import { blockIdExtText } from '../../../src/capture/block-id.ts';
import { openSource } from '../../../src/cli/compose/open-source.ts';
import { FolderNotEmptyError, generatePacks } from '../../../src/localnet/generate/generate-packs.ts';
import { parseBoc } from '../../../src/ton/boc/boc.ts';
import { CellsOfBag } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { readBlockProof } from '../../../src/ton/proofs/block-proof.ts';
import { checkHeader } from '../../../src/ton/proofs/check-header.ts';
import { never } from '../../contract/source/real-chain.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';
import { temporaryFolder } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';
import { VerifiedChain } from './verified-chain.ts';

const OPTIONS = { transactions: 300, seed: 'test', shards: 2, perStep: 60 };

describe('generated packages', () => {
  it('are an archive of valid blocks without a gap, with the transactions asked for', async () => {
    const directory = join(await temporaryFolder(), 'out');
    const made = await generatePacks({ directory, ...OPTIONS });
    expect(readdirSync(directory).sort()).toEqual([
      'archive.00000.pack',
      'zerostate_-1.boc',
      'zerostate_0.boc',
    ]);
    const source = await openSource(`archive:${directory}`);
    expect(await source.describe()).toMatchObject({
      firstMcSeqno: 1,
      lastMcSeqno: made.mcSeqno,
      blocks: made.blocks,
    });
    const outcomes: string[] = [];
    for await (const { blocks } of source.steps(null, never))
      for (const block of blocks) {
        expect(validateBlock(block.boc).violations).toEqual([]);
        outcomes.push(...loadTransactions(block).map(outcomeOf));
      }
    await source.close();
    expect(outcomes).toHaveLength(made.transactions);
    const own = outcomes.filter((outcome) => outcome !== 'tick' && outcome !== 'tock');
    expect(own.length).toBeGreaterThanOrEqual(300);
    expect(own.length).toBeLessThan(450);
  });

  it('are the same from the same options', async () => {
    const one = join(await temporaryFolder(), 'one');
    const two = join(await temporaryFolder(), 'two');
    const options = { ...OPTIONS, transactions: 60 };
    await generatePacks({ directory: one, ...options });
    await generatePacks({ directory: two, ...options });
    for (const name of readdirSync(one))
      expect(readFileSync(join(two, name)).equals(readFileSync(join(one, name)))).toBe(true);
  });

  it('have a block of every shard in each step, if asked to', async () => {
    const directory = join(await temporaryFolder(), 'out');
    const sparse = { transactions: 10, seed: 'test', shards: 4, perStep: 1, everyShard: true };
    const made = await generatePacks({ directory, ...sparse });
    const source = await openSource(`archive:${directory}`);
    const counts: number[] = [];
    for await (const { blocks } of source.steps(null, never)) {
      counts.push(blocks.length);
      for (const block of blocks) expect(validateBlock(block.boc).violations).toEqual([]);
    }
    await source.close();
    expect(counts).toHaveLength(made.mcSeqno);
    // The steps of the splits have fewer.
    expect(counts.slice(3)).toEqual(counts.slice(3).map(() => 5));
  });

  it('are valid, and equal for synthetic blocks', async () => {
    const one = join(await temporaryFolder(), 'one');
    const two = join(await temporaryFolder(), 'two');
    const options = { transactions: 600, seed: 'test', shards: 1, perStep: 256, synthetic: true };
    const made = await generatePacks({ directory: one, ...options });
    await generatePacks({ directory: two, ...options });
    for (const name of readdirSync(one))
      expect(readFileSync(join(two, name)).equals(readFileSync(join(one, name)))).toBe(true);
    const source = await openSource(`archive:${one}`);
    const outcomes = new Map<string, number>();
    for await (const { blocks } of source.steps(null, never))
      for (const block of blocks) {
        expect(validateBlock(block.boc).violations).toEqual([]);
        for (const outcome of loadTransactions(block).map(outcomeOf))
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    await source.close();
    const steps = made.mcSeqno;
    expect(Object.fromEntries(outcomes)).toEqual({
      'no state': 597,
      ok: 3,
      tick: steps * 1,
      tock: steps * 2,
    });
  });

  it('are not mixed with what is there already', async () => {
    const directory = await temporaryFolder();
    writeFileSync(join(directory, 'something'), '');
    await expect(generatePacks({ directory, ...OPTIONS })).rejects.toThrow(FolderNotEmptyError);
  });
});

describe('proofs in generated packages', () => {
  it.each(['ordinary', 'simplex'] as const)('prove each block from the zerostate, %s', async (signatures) => {
    const directory = join(await temporaryFolder(), 'out');
    await generatePacks({ directory, ...OPTIONS, transactions: 60, signatures });
    const path = join(directory, 'archive.00000.pack');
    const { entries } = await scanPack(path);
    const pack = readFileSync(path);
    const chain = new VerifiedChain(readFileSync(join(directory, 'zerostate_-1.boc')));
    expect(entries.length % 2).toBe(0);
    for (const [index, entry] of entries.entries()) {
      if (index % 2 === 1) continue;
      const [proof, block] = [entry, entries[index + 1]!].map(({ dataOffset, length }) =>
        pack.subarray(dataOffset, dataOffset + length),
      );
      const read = readBlockProof(proof!);
      const [kind, id] = entry.name.split('_');
      expect(entries[index + 1]!.name).toBe(`block_${id}`);
      expect(blockIdExtText(read.block)).toBe(id);
      const boc = parseBoc(proof!);
      const header = checkHeader(writeBag(new CellsOfBag(boc).cell(read.root)), read.block);
      expect(header.stateHash).not.toBeNull();
      if (kind === 'prooflink') expect(read.signatures).toBeNull();
      else {
        expect(read.signatures!.kind).toBe(signatures);
        chain.add(block!, () => read.signatures!);
      }
    }
    expect(chain.keyBlocks).toEqual([1]);
  });
});
