import { describe, expect, it } from 'vitest';
import type { SourceBlock } from '../../../src/capture/source.ts';
import { applyUpdate } from '../../../src/ton/cell/apply-update.ts';
import type { Cell } from '../../../src/ton/cell/cell.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { makeSteps, openEngine, tipHash } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

describe.each([1, 3, 4])('local chain of %d shards', (shards) => {
  it('makes valid blocks of real transactions: comments, cold addresses, bounces, failures, both workchains', async () => {
    const engine = await openEngine({ shards, traffic: 8 });
    await engine.resume(null);
    const steps = await makeSteps(engine, 9);
    const transactions = steps.flatMap(({ blocks }) => blocks.flatMap(loadTransactions));
    expect(transactions.length).toBeGreaterThan(150);
    expect(steps.reduce((sum, { refused }) => sum + refused, 0)).toBe(0);
    const outcomes = new Set(transactions.map(outcomeOf));
    for (const outcome of ['ok', 'exit 42, bounced', 'no state', 'no state, bounced', 'tick', 'tock'])
      expect([outcome, outcomes.has(outcome)]).toEqual([outcome, true]);
    const tops = new Set(steps.at(-1)!.blocks.map(({ id }) => `${id.workchain}:${id.shard.toString(16)}`));
    expect(tops.size).toBe(shards + 1);
  });
});

// Shards of two sizes: the case that has all the others in it.
describe('local chain of 3 shards', () => {
  it('gives the same blocks from the same seed, others from another', async () => {
    const run = async (seed: string) => {
      const engine = await openEngine({ shards: 3, traffic: 5, seed });
      await engine.resume(null);
      return tipHash((await makeSteps(engine, 4)).at(-1)!);
    };
    const first = await run('one');
    expect(await run('one')).toBe(first);
    expect(await run('two')).not.toBe(first);
  });

  it('can be rebuilt from zerostates and blocks: every account, code and data included', async () => {
    const engine = await openEngine({ shards: 3, traffic: 5 });
    await engine.resume(null);
    const steps = await makeSteps(engine, 7);
    const states = new Map<string, Cell>();
    for (const boc of engine.zerostates()) remember(states, readCell(boc));
    for (const block of steps.flatMap(({ blocks }) => blocks)) {
      const before = states.get(prevHash(block))!;
      const after = applyUpdate(before, readCell(block.boc).refs[2]!);
      expect(after.levelMask).toBe(0);
      states.set(Buffer.from(block.id.rootHash).toString('hex'), after);
    }
    expect(states.size).toBe(2 + steps.flatMap(({ blocks }) => blocks).length);
  });
});

function remember(states: Map<string, Cell>, state: Cell): void {
  states.set(Buffer.from(state.hash()).toString('hex'), state);
}

function prevHash({ header }: SourceBlock): string {
  return Buffer.from(header.prevRefs[0]!.rootHash).toString('hex');
}

describe('local chain', () => {
  it('makes no shard block when a shard has nothing to do, and names the last one again', async () => {
    const engine = await openEngine({ shards: 2 });
    await engine.resume(null);
    const counts = (await makeSteps(engine, 5)).map(({ blocks }) => blocks.length);
    expect(counts).toEqual([2, 3, 1, 1, 1]);
  });

  it('delivers what finds no room later, in order', async () => {
    const engine = await openEngine({ shards: 2, traffic: 10, limit: 20 });
    await engine.resume(null);
    const steps = await makeSteps(engine, 12);
    const transactions = steps.flatMap(({ blocks }) => blocks.flatMap(loadTransactions));
    expect(transactions.length).toBeGreaterThan(120);
    for (const { blocks } of steps)
      for (const block of blocks) expect(loadTransactions(block).length).toBeLessThanOrEqual(23);
  });

  it('has a key block when the configuration changes', async () => {
    const engine = await openEngine();
    await engine.resume(null);
    const key = (step: { blocks: readonly SourceBlock[] }) => step.blocks.at(-1)!.header.keyBlock;
    const [first, second] = await makeSteps(engine, 2);
    const before = engine.account({ workchain: -1, address: new Uint8Array(32).fill(0x55) }).config;
    engine.changeConfig(777, Buffer.from('te6cckEBAQEAAgAAAEysuc0=', 'base64'));
    const [third, fourth] = await makeSteps(engine, 2);
    expect([first!, second!, third!, fourth!].map(key)).toEqual([true, false, true, false]);
    expect(third!.blocks.at(-1)!.header.prevKeyBlockSeqno).toBe(1);
    expect(fourth!.blocks.at(-1)!.header.prevKeyBlockSeqno).toBe(3);
    expect(engine.account({ workchain: -1, address: new Uint8Array(32).fill(0x55) }).config).not.toBe(before);
  });

  it('lets time jump', async () => {
    const engine = await openEngine();
    await engine.resume(null);
    await makeSteps(engine, 1);
    const { utime } = engine.status();
    engine.warp(3600);
    await makeSteps(engine, 1);
    expect(engine.status().utime).toBe(utime + 3605);
  });
});
