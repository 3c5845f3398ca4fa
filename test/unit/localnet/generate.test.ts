import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../src/cli/compose/open-source.ts';
import { FolderNotEmptyError, generatePacks } from '../../../src/localnet/generate/generate-packs.ts';
import { never } from '../../contract/source/real-chain.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';
import { temporaryFolder } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

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

  it('are valid and the same where they are synthetic', async () => {
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
