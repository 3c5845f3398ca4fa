/** A lite server that continues a chain answers for shards that have made no block since. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openArchive } from '../../../src/capture/archive/archive-source.ts';
import type { LiteBlock } from '../../../src/liteserver/chain/lite-block.ts';
import { type GivenStep, LiteChain } from '../../../src/liteserver/chain/lite-chain.ts';
import { StateWindow } from '../../../src/liteserver/chain/state-window.ts';
import type { LiteContext } from '../../../src/liteserver/lite-context.ts';
import { needState } from '../../../src/liteserver/located.ts';
import { toTl } from '../../../src/liteserver/tl-values.ts';
import { generatePacks, ZEROSTATE_FILES } from '../../../src/localnet/generate/generate-packs.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { readShardHashes } from '../../../src/ton/decode/block-header.ts';
import { packChain } from '../../helpers/pack-chain.ts';

/** A chain with so little traffic that most shards have no block in a step. */
async function sparseChain() {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await generatePacks({ directory: folder, transactions: 10, seed: 'idle', shards: 4, perStep: 1 });
  const source = await openArchive(folder, []);
  const steps: GivenStep[] = [];
  for await (const step of source.steps(null, new AbortController().signal)) steps.push(step);
  await source.close();
  const zerostates = ZEROSTATE_FILES.map((name) => join(folder, name));
  return { steps, context: await packChain(folder, zerostates) };
}

/** The newest blocks of all shards, the masterchain's too, after a step. */
function newestBlocks({ chain }: LiteContext, mcSeqno: number): LiteBlock[] {
  const master = chain.block({ workchain: -1, shard: 1n << 63n, seqno: mcSeqno })!;
  return [master, ...readShardHashes(master.boc).map((id) => chain.block(id)!)];
}

it('a shard without a block since the restart has its state, also when older steps are dropped', async () => {
  const { steps, context } = await sparseChain();
  const last = steps.at(-1)!;
  const before = newestBlocks(context, last.mcSeqno - 1);
  const states = before.map((block) => ({ boc: writeBag(context.chain.stateAfter(block)!) }));
  const chain = new LiteChain();
  chain.seed(states, last.mcSeqno - 1);
  chain.take(last);
  const older = {
    find: async (sought: { workchain: number; shard: bigint }) =>
      before.find(
        ({ header: { workchain, shard } }) => workchain === sought.workchain && shard === sought.shard,
      ) ?? null,
    newest: async () => null,
  };
  const made = last.blocks.map(({ header }) => header.shard);
  const idle = before.filter(({ header }) => header.workchain === 0 && !made.includes(header.shard));
  expect(idle.length).toBeGreaterThan(0);
  const restarted: LiteContext = { ...context, chain, older };
  for (const block of idle)
    expect((await needState(restarted, toTl(block.header))).state.key).toBe(
      context.chain.stateAfter(block)!.key,
    );
  const window = new StateWindow();
  for (const state of states) window.addTip(state, last.mcSeqno - 1);
  window.dropBelow(last.mcSeqno + 5_000);
  expect(before.map((block) => window.after(block)?.key)).toEqual(
    before.map((block) => context.chain.stateAfter(block)!.key),
  );
});
