import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceState } from '../../../src/capture/source.ts';
import {
  distinctStates,
  readStateFile,
  StartStatesError,
  startFromStates,
} from '../../../src/capture/states.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { hash, idAt, stateAfter } from './chain/chain-dsl.ts';

function state(shard: string, seqno: number, facts: Partial<SourceState> = {}): SourceState {
  const id = { ...idAt(shard, seqno), ...(seqno === 0 ? {} : { rootHash: stateAfter(idAt(shard, seqno)) }) };
  return {
    id,
    boc: new Uint8Array(),
    globalId: -239,
    vertSeqno: 0,
    mcSeqno: seqno,
    shards: null,
    origin: `${shard}.boc`,
    ...facts,
  };
}
const zeroM = state('-1:8000', 0, { shards: [] });
const zeroB = state('0:8000', 0);

describe('a start from states', () => {
  it('stands at the zerostates', () => {
    const { step, tip } = startFromStates([zeroB, zeroM, zeroB]);
    expect(step).toEqual({ mcSeqno: 0, states: [zeroM, zeroB], blocks: [] });
    expect(tip).toMatchObject({ mcSeqno: 0, masterchain: zeroM.id, shards: [zeroB.id], globalId: -239 });
  });

  it('stands at the shard blocks that a later masterchain state names', () => {
    const tops = [idAt('0:4000', 7), idAt('0:c000', 8)];
    const masterchain = state('-1:8000', 9, { shards: tops });
    const left = state('0:4000', 7);
    const { step, tip } = startFromStates([masterchain, left]);
    expect(step.mcSeqno).toBe(9);
    expect(tip.masterchain).toEqual({
      workchain: -1,
      shard: 1n << 63n,
      seqno: 9,
      stateHash: masterchain.id.rootHash,
    });
    expect(tip.shards).toEqual([{ ...tops[0], stateHash: left.id.rootHash }, tops[1]]);
  });

  it.each<[string, SourceState[]]>([
    ['no masterchain state', [zeroB]],
    ['two masterchain states', [zeroM, state('-1:8000', 9, { shards: [] })]],
    ['a later shard state with a zerostate', [zeroM, state('0:8000', 5)]],
    [
      'a shard state that the masterchain state does not name',
      [state('-1:8000', 9, { shards: [idAt('0:8000', 7)] }), state('0:8000', 6)],
    ],
  ])('cannot have %s', (_, states) => {
    expect(() => startFromStates(states)).toThrow(StartStatesError);
  });

  it('cannot have states of two networks', () => {
    expect(() => startFromStates([zeroM, { ...zeroB, globalId: -3 }])).toThrow(/global_id/);
    expect(() => distinctStates([zeroM, { ...zeroM, id: { ...zeroM.id, rootHash: hash('other') } }])).toThrow(
      /changed/,
    );
  });
});

describeWithData('state files', (data) => {
  const file = (name: string) => join(data, 'accounts/states', `${name}.boc`);

  it('of the zerostates have the hashes that block 1 names', async () => {
    const masterchain = await readStateFile(file('mainnet_zerostate_-1'));
    expect(Buffer.from(masterchain.id.rootHash).toString('hex')).toMatch(/^17a3a92992aabea785a7a090985a265c/);
    expect(Buffer.from(masterchain.id.fileHash).toString('hex')).toMatch(/^5e994fcf4d425c0a6ce6a792594b7173/);
    expect(await readStateFile(file('mainnet_zerostate_0'))).toMatchObject({
      globalId: -239,
      mcSeqno: 0,
      shards: null,
    });
  });

  it('of a later masterchain block name its shards', async () => {
    const { mcSeqno, shards } = await readStateFile(file('mainnet_-1_8000000000000000_2659'));
    expect(mcSeqno).toBe(2659);
    expect(shards?.length).toBeGreaterThan(1);
  });

  it('of a shard name the masterchain block that they were made under', async () => {
    const { id, mcSeqno } = await readStateFile(file('mainnet_0_2000000000000000_571524'));
    expect([id.seqno, mcSeqno > 446_000]).toEqual([571_524, true]);
  });

  it('that are no whole state are refused by name', async () => {
    for (const name of [
      'proof_0_8000000000000000_56703838',
      '../c5ed54053e3e1cd7b6800bd9fb4f7265b9963fe0f65a9f0d26458f0b8d1fe179',
    ])
      await expect(readStateFile(file(name))).rejects.toMatchObject({
        name: 'UnreadableError',
        origin: file(name),
      });
  });
});
