import { Cell as CoreCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { MERKLE_PROOF } from '../../../../src/ton/boc/cell-type.ts';
import { checkExotics } from '../../../../src/ton/boc/check-exotics.ts';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { prunedBranch } from '../../../../src/ton/cell/pruned-branch.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { makeProof } from '../../../../src/ton/proofs/make-proof.ts';
import { Visits } from '../../../../src/ton/proofs/visits.ts';
import { describeWithChain } from '../../../helpers/shared-data.ts';
import { blockFiles } from '../boc/block-files.ts';
import { merkleProof, merkleUpdate, pruned, prunedTwice, randomCell, seeded } from '../boc/made-cells.ts';

/**
 * Opens a random part of a tree, always a connected one with the root. Below a Merkle cell it opens every cell of level 0
 * with references: @ton/core reads a pruned branch with mask 2 as if it had two hashes, so it cannot judge those.
 */
function randomVisits(root: Cell, random: (below: number) => number): Visits {
  const visits = new Visits();
  const done = new Set<string>();
  const open = (cell: Cell, merkle: number) => {
    const place = `${Buffer.from(cell.hash()).toString('hex')}:${merkle}`;
    if (done.has(place)) return;
    done.add(place);
    visits.open(cell);
    const below = merkle + (cell.type >= MERKLE_PROOF ? 1 : 0);
    for (const ref of cell.refs) if (random(3) > 0 || (below > 0 && ref.levelMask === 0)) open(ref, below);
  };
  open(root, 0);
  return visits;
}

/** The same pruning over @ton/core's cells, whose constructor checks every exotic cell. */
function coreProof(root: CoreCell, visits: Visits, ours: Cell): CoreCell {
  const at = (cell: CoreCell, own: Cell, level: number): CoreCell => {
    if (cell.refs.length === 0) return cell;
    if (!visits.has(own)) return level === 1 ? pruned(cell) : prunedTwice(cell);
    const below = level + (own.type >= MERKLE_PROOF ? 1 : 0);
    const refs = cell.refs.map((ref, i) => at(ref, own.refs[i]!, below));
    return new CoreCell({ exotic: cell.isExotic, bits: cell.bits, refs });
  };
  return merkleProof(at(root, ours, 1));
}

/** True if no pruned branch is below more Merkle cells than @ton/core's pruning above supports. */
const isShallow = (cell: Cell, merkle = 0): boolean =>
  merkle < 2 && cell.refs.every((ref) => isShallow(ref, merkle + (cell.type >= MERKLE_PROOF ? 1 : 0)));

describe('a made Merkle proof', () => {
  it('is the proof that @ton/core makes of the same visits, on random trees with exotic cells', () => {
    const random = seeded(40);
    let compared = 0;
    for (let seed = 0; seed < 200; seed++) {
      const core = randomCell(seed, 6 + random(20));
      const root = readCell(core.toBoc());
      if (root.levelMask !== 0 || !isShallow(root)) continue;
      const visits = randomVisits(root, random);
      const proof = makeProof(root, visits);
      const expected = coreProof(core, visits, root);
      expect(Buffer.from(proof.hash()).toString('hex')).toBe(expected.hash().toString('hex'));
      expect(proof.depth()).toBe(expected.depth());
      compared++;
    }
    expect(compared).toBeGreaterThan(30);
  });

  it('refuses a root of a level above 0 and a level that the cell has itself', () => {
    const leaf = readCell(CoreCell.EMPTY.toBoc());
    const branch = prunedBranch(leaf);
    expect(() => makeProof(branch, new Visits())).toThrow('level 0');
    expect(() => prunedBranch(branch)).toThrow('cannot be pruned at level 1');
    expect(prunedBranch(branch, 3).levelMask).toBe(5);
  });

  it('is written in one bag with others, in their order', () => {
    const shared = CoreCell.EMPTY.asBuilder().storeUint(7, 8).endCell();
    const roots = [1, 2, 3].map((seed) =>
      readCell(CoreCell.EMPTY.asBuilder().storeUint(seed, 8).storeRef(shared).endCell().toBoc()),
    );
    for (const form of [{}, { index: false }, { index: false, crc: false }]) {
      const bag = writeBag(roots, form);
      const boc = parseBoc(bag);
      expect(boc.cellCount).toBe(4);
      const hashes = new CellHashes(boc);
      expect(boc.roots.map((place) => hashes.hash(place))).toEqual(roots.map((cell) => cell.hash()));
      expect(CoreCell.fromBoc(Buffer.from(bag)).map((cell) => new Uint8Array(cell.hash()))).toEqual(
        roots.map((cell) => new Uint8Array(cell.hash())),
      );
    }
  });
});

/** Cells of level 0 below the update of a block are pruned at level 2 only: mask 2, one hash. */
describe('a pruned branch below a Merkle update', () => {
  it('keeps the hashes of the cells above it', () => {
    const whole = CoreCell.EMPTY.asBuilder().storeUint(1, 8).storeRef(CoreCell.EMPTY).endCell();
    const update = merkleUpdate(whole, whole);
    const root = readCell(CoreCell.EMPTY.asBuilder().storeRef(update).endCell().toBoc());
    const visits = new Visits();
    visits.open(root);
    visits.open(root.refs[0]!);
    const bag = writeBag(makeProof(root, visits));
    const boc = parseBoc(bag);
    const hashes = new CellHashes(boc);
    checkExotics(hashes);
    const proof = readCell(bag);
    expect(proof.levelMask).toBe(0);
    expect(proof.refs[0]!.refs[0]!.refs.map(({ levelMask, data }) => [levelMask, data.length])).toEqual([
      [2, 36],
      [2, 36],
    ]);
    expect(proof.refs[0]!.hash(0)).toEqual(root.hash());
    expect(hashes.hash(boc.refs[onlyRoot(boc) * 4]!, 0)).toEqual(root.hash());
  });
});

describeWithChain('Merkle proofs of real blocks', ({ data }) => {
  it('keep the root hash and are accepted by @ton/core and by our reader', () => {
    const random = seeded(41);
    let blocks = 0;
    for (const { bytes, rootHash } of blockFiles(data)) {
      if (bytes.length > 20_000 || random(4) > 0) continue;
      const block = readCell(bytes);
      const bag = writeBag(makeProof(block, randomVisits(block, random)), { index: false });
      const boc = parseBoc(bag);
      checkExotics(new CellHashes(boc));
      const [proof] = CoreCell.fromBoc(Buffer.from(bag));
      expect(proof!.level()).toBe(0);
      expect(proof!.refs[0]!.hash(0).toString('hex')).toBe(rootHash);
      expect(Buffer.from(new CellHashes(boc).hash(onlyRoot(boc)))).toEqual(proof!.hash());
      blocks++;
    }
    expect(blocks).toBeGreaterThan(2);
  });
});
