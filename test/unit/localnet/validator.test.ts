import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { LocalChain } from '../../../src/localnet/engine/local-chain.ts';
import { makeGenesis } from '../../../src/localnet/genesis/genesis.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { BlockSigner } from '../../../src/localnet/validator/block-signer.ts';
import { CellBuilder } from '../../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { openBlock } from '../../../src/ton/decode/open-block.ts';
import { Emulator } from '../../../src/tvm/emulator.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';
import { makeSteps, openEngine, temporaryFolder } from './local-engine.ts';
import { blockToProve, VerifiedChain } from './verified-chain.ts';

const ROUND = 65_536;
const signer = new BlockSigner('test', 'ordinary');

/** Makes steps, each of which the chain of proofs takes. Answers the last masterchain block. */
async function addSteps(engine: Engine, chain: VerifiedChain, count: number): Promise<Uint8Array> {
  const steps = await makeSteps(engine, count);
  for (const { blocks } of steps) chain.add(blocks.at(-1)!.boc, (block) => signer.sign(block)!);
  return steps.at(-1)!.blocks.at(-1)!.boc;
}

describe('the validator of the local chain', () => {
  it('signs each masterchain block, over time jumps, rounds and restarts', async () => {
    const directory = await temporaryFolder();
    const engine = await openEngine({ directory, shards: 2 });
    await engine.resume(null);
    const chain = new VerifiedChain(engine.zerostates()[0]);
    expect(chain.validators.set).toMatchObject({ since: GENESIS_UTIME, until: GENESIS_UTIME + ROUND });
    await addSteps(engine, chain, 4);
    expect(chain.keyBlocks).toEqual([1]);
    // Into the round after the next: the first block of it is a key block.
    engine.warp(2 * ROUND);
    const tip = await addSteps(engine, chain, 3);
    expect(chain.keyBlocks).toEqual([1, 5]);
    const since = GENESIS_UTIME + 2 * ROUND;
    expect(chain.validators.set).toMatchObject({ since, until: since + ROUND });
    await engine.close();
    const again = await openEngine({ directory, shards: 2 });
    const { seqno, rootHash } = blockToProve(tip);
    await again.resume({ mcSeqno: seqno, rootHash });
    again.changeConfig(100, writeBag(new CellBuilder().uint(1, 8).cell()));
    await addSteps(again, chain, 2);
    expect(chain.keyBlocks).toEqual([1, 5, 8]);
  });

  it('begins a new group with each key block and each lifetime of parameter 28', async () => {
    const engine = await openEngine({ secondsPerBlock: 100 });
    await engine.resume(null);
    const steps = await makeSteps(engine, 8);
    const seqnos = steps.map(({ blocks }) => openBlock(blocks.at(-1)!.boc).info.genCatchainSeqno);
    // 250 seconds from a multiple of 250: a key block, then each time that the quotient grows.
    expect(GENESIS_UTIME % 250).toBe(0);
    expect(seqnos).toEqual([0, 1, 1, 2, 2, 3, 3, 3]);
    const hashes = new Set(
      steps.map(({ blocks }) => openBlock(blocks.at(-1)!.boc).info.genValidatorListHashShort),
    );
    expect(hashes.size).toBe(4);
  });

  it.each([32, 34, 37])('keeps parameter %i, which names it', async (param) => {
    const engine = await openEngine();
    await engine.resume(null);
    expect(() => engine.changeConfig(param, null)).toThrow('they name the validator');
  });

  it('is not there in a chain that began without one: its blocks are not signed', async () => {
    const options = { globalId: LOCALNET_GLOBAL_ID, utime: GENESIS_UTIME, splits: 0, contracts: [] };
    const { chain } = makeGenesis({ ...options, validators: [] });
    const emulator = await Emulator.create();
    const local = new LocalChain({ chain, emulator, seed: 'test', targetShards: [1n << 63n], limit: 10 });
    const block = blockToProve(local.step(GENESIS_UTIME + 5).blocks.at(-1)!.boc);
    expect(block).toMatchObject({ genValidatorListHashShort: 0, genCatchainSeqno: 0 });
    expect(signer.sign(block)).toBeNull();
  });
});
