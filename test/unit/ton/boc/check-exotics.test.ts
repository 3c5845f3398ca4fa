import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { MERKLE_PROOF, MERKLE_UPDATE, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { checkExotics } from '../../../../src/ton/boc/check-exotics.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { recorded } from './block-files.ts';
import { merkleProof, merkleUpdate, pruned, randomCell } from './made-cells.ts';

const check = (bytes: Uint8Array) => {
  const boc = parseBoc(bytes);
  checkExotics(new CellHashes(boc));
  return boc;
};

describe('the stored hashes and depths of Merkle cells', () => {
  const hidden = beginCell().storeUint(1, 32).storeRef(beginCell().endCell()).endCell();
  const before = beginCell().storeUint(2, 8).storeRef(pruned(hidden)).endCell();
  const after = beginCell().storeUint(3, 8).storeRef(pruned(hidden)).endCell();

  it('hold for cells that @ton/core made', () => {
    for (let seed = 1; seed < 30; seed++) check(randomCell(seed, 50).toBoc());
  });

  it.each([
    ['proof', MERKLE_PROOF, merkleProof(before), 1 + 32 + 2],
    ['update', MERKLE_UPDATE, merkleUpdate(before, after), 1 + 64 + 4],
  ] as const)('are refused with any byte of a Merkle %s changed', (_, type, cell, size) => {
    const bytes = cell.toBoc({ crc32: false });
    const boc = check(bytes);
    expect(boc.type[0]).toBe(type);
    const start = boc.dataStart[0]!;
    for (let at = start + 1; at < start + size; at++) {
      const changed = Uint8Array.from(bytes);
      changed[at]! ^= 0x10;
      // A hash is reported at its start, a depth at its own.
      expect(() => check(changed), `byte ${at}`).toThrow(
        expect.objectContaining({ code: 'merkle', cell: 0 }),
      );
    }
  });
});

describeWithData('the Merkle cells of real data', (data) => {
  it.each([
    'blocks/mainnet-single/0_a000000000000000_54302203.boc',
    'blocks/mainnet-single/-1_8000000000000000_58508098.boc',
    'blocks/special/pruned_header_proof_testnet_27620829.boc',
    'blocks/mainnet-mc-3082181/proof__3082182.boc',
  ])('%s', (path) => {
    const boc = check(recorded(data, path));
    expect([...boc.type].some((type) => type === MERKLE_PROOF || type === MERKLE_UPDATE)).toBe(true);
  });
});
