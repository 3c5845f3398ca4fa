import { expect, it } from 'vitest';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { checkSeparateState, findOldBlock } from '../../../src/ton/proofs/check-state.ts';
import { makeProof } from '../../../src/ton/proofs/make-proof.ts';
import { visitHeader } from '../../../src/ton/proofs/visit-block.ts';
import { Visits } from '../../../src/ton/proofs/visits.ts';
import { makeSteps, openEngine } from './local-engine.ts';

it('a proof of an earlier block shows the zerostate too: the official client reads its id', async () => {
  const engine = await openEngine();
  await engine.resume(null);
  const steps = await makeSteps(engine, 20);
  const [earlier, newest] = [steps[12]!, steps[19]!].map(({ blocks }) => blocks.at(-1)!);
  const root = readCell(newest!.boc);
  const visits = new Visits();
  visitHeader(visits, root);
  const proof = engine.proveOldBlock(20, 13)!;
  const state = checkSeparateState(writeBag(makeProof(root, visits)), proof, newest!.id);
  expect(findOldBlock(state, 13)!.rootHash).toEqual(earlier!.id.rootHash);
  expect(findOldBlock(state, 0)!.rootHash).toEqual(steps[0]!.blocks.at(-1)!.header.prevRefs[0]!.rootHash);
  expect(engine.proveOldBlock(20, 20)).toBeNull();
  expect(engine.proveOldBlock(1, 0)).toBeNull();
});
