import { beforeEach, describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../../src/capture/block-id.ts';
import {
  ChainGapError,
  ChangedBlockError,
  ForeignBlockError,
  MissingBlockError,
} from '../../../../src/capture/chain/chain-errors.ts';
import { Continuity } from '../../../../src/capture/chain/continuity.ts';
import {
  blockAfter,
  idAt,
  names,
  shelfOf,
  stateAfter,
  type TestBlock,
  topsOf,
  zerostate,
} from './chain-dsl.ts';

const MC = '-1:8000';
const options = { stateHashBefore: (block: TestBlock) => block.stateBefore, hardForks: [] as BlockIdExt[] };

/** Masterchain 1 … names shard 0:8000 from its zerostate on. */
const mcZero = zerostate(MC);
const zero = zerostate('0:8000');
const mc1 = blockAfter(MC, [mcZero]);
const mc2 = blockAfter(MC, [mc1]);
const mc3 = blockAfter(MC, [mc2]);
const a1 = blockAfter('0:8000', [zero]);
const a2 = blockAfter('0:8000', [a1]);
const a3 = blockAfter('0:8000', [a2]);

let chain: Continuity<TestBlock>;
beforeEach(() => {
  chain = new Continuity<TestBlock>(null, options);
});

async function failure<E extends Error>(
  kind: new (...args: never[]) => E,
  promise: Promise<unknown>,
): Promise<E> {
  const error = await promise.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(kind);
  return error as E;
}

describe('what a masterchain block commits', () => {
  it('is nothing while the shard stands at its zerostate', async () => {
    expect(await chain.next(mc1, topsOf([zero], 1), shelfOf([]))).toEqual([]);
    expect(await chain.next(mc2, topsOf([zero], 1), shelfOf([]))).toEqual([]);
    expect(chain.tip).toMatchObject({ mcSeqno: 2, globalId: -239, vertSeqno: 0 });
  });

  it('is every shard block since the last, parents first', async () => {
    expect(names(await chain.next(mc1, topsOf([a1], 1), shelfOf([a1, a2, a3])))).toEqual(names([a1]));
    expect(names(await chain.next(mc2, topsOf([a3], 2), shelfOf([a1, a2, a3])))).toEqual(names([a2, a3]));
    expect(await chain.next(mc3, topsOf([a3], 2), shelfOf([]))).toEqual([]);
  });

  it('follows a split to the one parent', async () => {
    const left = blockAfter('0:4000', [a1]);
    const right = blockAfter('0:c000', [a1]);
    await chain.next(mc1, topsOf([a1], 1), shelfOf([a1]));
    const step = await chain.next(mc2, topsOf([left, right], 2), shelfOf([a1, left, right]));
    expect(names(step)).toEqual(names([left, right]));
  });

  it('commits the parent of a split once when the split is within the step', async () => {
    const left = blockAfter('0:4000', [a2]);
    const right = blockAfter('0:c000', [a2]);
    const right2 = blockAfter('0:c000', [right]);
    const shelf = shelfOf([a1, a2, left, right, right2]);
    expect(names(await chain.next(mc1, topsOf([left, right2], 1), shelf))).toEqual(
      names([a1, a2, left, right, right2]),
    );
  });

  it('follows a merge to both parents', async () => {
    const left = blockAfter('0:4000', [a1]);
    const right = blockAfter('0:c000', [a1]);
    const left2 = blockAfter('0:4000', [left]);
    const merged = blockAfter('0:8000', [left2, right]);
    const merged2 = blockAfter('0:8000', [merged]);
    const shelf = shelfOf([a1, left, right, left2, merged, merged2]);
    await chain.next(mc1, topsOf([left, right], 1), shelf);
    expect(names(await chain.next(mc2, topsOf([merged2], 2), shelf))).toEqual(
      names([left2, merged, merged2]),
    );
    expect(chain.tip?.shards).toEqual(topsOf([merged2], 2));
  });

  it('follows a shard that merges while its neighbour waits', async () => {
    const quarter = blockAfter('0:2000', [blockAfter('0:4000', [a1])]);
    const other = blockAfter('0:6000', [blockAfter('0:4000', [a1])]);
    const right = blockAfter('0:c000', [a1]);
    const half = blockAfter('0:4000', [a1]);
    const merged = blockAfter('0:4000', [quarter, other]);
    const shelf = shelfOf([a1, half, quarter, other, right, merged]);
    await chain.next(mc1, topsOf([quarter, other, right], 1), shelf);
    expect(names(await chain.next(mc2, topsOf([merged, right], 2), shelf))).toEqual(names([merged]));
  });

  it('takes a new workchain from its zerostate', async () => {
    const fresh = blockAfter('1:8000', [zerostate('1:8000')]);
    await chain.next(mc1, topsOf([a1], 1), shelfOf([a1]));
    expect(names(await chain.next(mc2, topsOf([a1, fresh], 2), shelfOf([fresh])))).toEqual(names([fresh]));
  });
});

describe('a start in mid-chain', () => {
  const mc101 = blockAfter(MC, [{ id: idAt(MC, 100) }]);
  const b50 = { id: idAt('0:8000', 50) };
  const b51 = blockAfter('0:8000', [b50]);
  const b52 = blockAfter('0:8000', [b51]);

  it('takes what is there of the first step', async () => {
    expect(names(await chain.next(mc101, topsOf([b52], 101), shelfOf([b51, b52])))).toEqual(
      names([b51, b52]),
    );
  });

  it('needs no block that an earlier masterchain block committed', async () => {
    expect(await chain.next(mc101, topsOf([b52], 99), shelfOf([]))).toEqual([]);
  });

  it('needs the shard block that the first masterchain block itself commits', async () => {
    const error = await failure(MissingBlockError, chain.next(mc101, topsOf([b52], 101), shelfOf([b51])));
    expect(error.id).toMatchObject(b52.id);
  });

  it('demands everything from the second step on', async () => {
    await chain.next(mc101, topsOf([b50], 99), shelfOf([]));
    const mc102 = blockAfter(MC, [mc101]);
    const error = await failure(MissingBlockError, chain.next(mc102, topsOf([b52], 102), shelfOf([b52])));
    expect(error.id).toEqual(b51.id);
  });

  it('follows states by their hashes', async () => {
    const tip = (stateHash: Uint8Array) => ({
      mcSeqno: 100,
      masterchain: { workchain: -1, shard: 1n << 63n, seqno: 100, stateHash },
      shards: [{ ...b50.id, stateHash: stateAfter(b50.id) }],
      globalId: -239,
      vertSeqno: 0,
    });
    const good = new Continuity<TestBlock>(tip(stateAfter(idAt(MC, 100))), options);
    expect(names(await good.next(mc101, topsOf([b51], 101), shelfOf([b51])))).toEqual(names([b51]));
    const wrong = new Continuity<TestBlock>(tip(stateAfter(idAt(MC, 99))), options);
    await failure(ForeignBlockError, wrong.next(mc101, topsOf([b51], 101), shelfOf([b51])));
  });
});

describe('what is refused', () => {
  it('a missing shard block, by whom it is named', async () => {
    const error = await failure(MissingBlockError, chain.next(mc1, topsOf([a3], 1), shelfOf([a3, a1])));
    expect(error.id).toEqual(a2.id);
    expect(error.referencedBy).toContain('(0,8000000000000000,3)');
    expect(error.message).toContain(Buffer.from(a2.id.rootHash).toString('hex').toUpperCase());
  });

  it('nothing is taken of a step that fails', async () => {
    await chain.next(mc1, topsOf([a1], 1), shelfOf([a1]));
    await failure(MissingBlockError, chain.next(mc2, topsOf([a3], 2), shelfOf([a3])));
    expect(chain.tip?.mcSeqno).toBe(1);
    expect(names(await chain.next(mc2, topsOf([a3], 2), shelfOf([a2, a3])))).toEqual(names([a2, a3]));
  });

  it('another block under a known id', async () => {
    const other = blockAfter('0:8000', [a1], { salt: 'x' });
    const error = await failure(
      ChangedBlockError,
      chain.next(mc1, topsOf([a3], 1), shelfOf([a1, other, a3])),
    );
    expect(error.found).toContain(Buffer.from(other.id.rootHash).toString('hex').toUpperCase());
  });

  it('a chain that goes on from another version of a known block', async () => {
    await chain.next(mc1, topsOf([a1], 1), shelfOf([a1]));
    const fork = blockAfter('0:8000', [{ id: idAt('0:8000', 1, 'x') }]);
    await failure(ChangedBlockError, chain.next(mc2, topsOf([fork], 2), shelfOf([fork])));
  });

  it('a chain that passes beside the known blocks', async () => {
    await chain.next(mc1, topsOf([a2], 1), shelfOf([a1, a2]));
    const left = blockAfter('0:4000', [a1]);
    const right = blockAfter('0:c000', [a1]);
    await failure(ForeignBlockError, chain.next(mc2, topsOf([left, right], 2), shelfOf([a1, left, right])));
  });

  it('a shard that falls away', async () => {
    const left = blockAfter('0:4000', [a1]);
    const right = blockAfter('0:c000', [a1]);
    await chain.next(mc1, topsOf([left, right], 1), shelfOf([a1, left, right]));
    await failure(ForeignBlockError, chain.next(mc2, topsOf([left], 1), shelfOf([])));
  });

  it('a shard that begins anew', async () => {
    await chain.next(mc1, topsOf([a1], 1), shelfOf([a1]));
    await failure(ForeignBlockError, chain.next(mc2, topsOf([zero], 2), shelfOf([])));
  });

  it('a masterchain block that does not follow', async () => {
    await chain.next(mc1, topsOf([zero], 1), shelfOf([]));
    const stray = blockAfter(MC, [{ id: idAt(MC, 1, 'x') }]);
    const error = await failure(ForeignBlockError, chain.next(stray, topsOf([zero], 1), shelfOf([])));
    expect(error.block).toContain('(-1,8000000000000000,2)');
  });

  it('a gap, by the first seqno that is missing and the next that is there', async () => {
    await chain.next(mc1, topsOf([zero], 1), shelfOf([]));
    const error = await failure(ChainGapError, chain.next(mc3, topsOf([zero], 1), shelfOf([])));
    expect([error.missing, error.next]).toEqual([2, 3]);
  });

  it('another global_id, in the masterchain and in a shard', async () => {
    await chain.next(mc1, topsOf([zero], 1), shelfOf([]));
    const foreign = blockAfter(MC, [mc1], { globalId: -3 });
    const error = await failure(ForeignBlockError, chain.next(foreign, topsOf([zero], 1), shelfOf([])));
    expect([error.expected, error.found]).toEqual(['-239', '-3']);
    const shard = blockAfter('0:8000', [zero], { globalId: -3 });
    await failure(ForeignBlockError, chain.next(mc2, topsOf([shard], 2), shelfOf([shard])));
  });
});

describe('vert_seqno', () => {
  const fork = blockAfter(MC, [mc1], { vertSeqno: 1 });

  it('may not change', async () => {
    await chain.next(mc1, topsOf([zero], 1), shelfOf([]));
    await failure(ForeignBlockError, chain.next(fork, topsOf([zero], 1), shelfOf([])));
  });

  it('changes at a declared hard fork, and shards follow later', async () => {
    chain = new Continuity<TestBlock>(null, { ...options, hardForks: [fork.id] });
    await chain.next(mc1, topsOf([zero], 1), shelfOf([]));
    expect(names(await chain.next(fork, topsOf([a1], 2), shelfOf([a1])))).toEqual(names([a1]));
    expect(chain.tip?.vertSeqno).toBe(1);
  });

  it('is never higher in a shard than in the masterchain', async () => {
    const ahead = blockAfter('0:8000', [zero], { vertSeqno: 1 });
    await failure(ForeignBlockError, chain.next(mc1, topsOf([ahead], 1), shelfOf([ahead])));
  });
});
