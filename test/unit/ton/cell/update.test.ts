import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { checkExotics } from '../../../../src/ton/boc/check-exotics.ts';
import { ApplyUpdateError, applyUpdate } from '../../../../src/ton/cell/apply-update.ts';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { numberKey } from '../../../../src/ton/cell/key-bits.ts';
import { makeUpdate, settle, UpdateError } from '../../../../src/ton/cell/make-update.ts';
import { NO_EXTRA, Trie } from '../../../../src/ton/cell/trie.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { readBlockHeader } from '../../../../src/ton/decode/block-header.ts';
import { describeWithChain } from '../../../helpers/shared-data.ts';
import { blockFiles } from '../boc/block-files.ts';
import { seeded } from '../boc/made-cells.ts';

/** A state: a dictionary of cells that have references of their own. */
function makeState(trie: Trie<Cell>): Cell {
  const builder = new CellBuilder().uint(trie.size, 16);
  trie.store(builder);
  return builder.cell();
}
const leaf = (value: number) =>
  new CellBuilder().uint(value, 32).ref(new CellBuilder().uint(value, 31).cell()).cell();
const empty = Trie.empty<Cell>({ keyBits: 32, store: (builder, cell) => builder.ref(cell), extra: NO_EXTRA });

describe('state update', () => {
  it('proves both sides, is small, and leads from the old state to the new', () => {
    const random = seeded(1);
    let trie = empty;
    for (let i = 0; i < 500; i++) trie = trie.set(numberKey(random(2 ** 31), 32), leaf(i));
    let state = makeState(trie);
    settle(state);
    for (let round = 0; round < 20; round++) {
      const keys = [...trie.entries()].map(([key]) => key);
      for (let i = 0; i < 3; i++) trie = trie.set(keys[random(keys.length)]!, leaf(1000 + round * 10 + i));
      trie = trie.delete(keys[random(keys.length)]!).set(numberKey(random(2 ** 31), 32), leaf(5000 + round));
      const next = makeState(trie);
      const update = makeUpdate(state, next);
      const bag = writeBag(update);
      const boc = parseBoc(bag);
      checkExotics(new CellHashes(boc));
      expect(boc.cellCount).toBeLessThan(250);
      expect(applyUpdate(state, readCell(bag)).key).toBe(next.key);
      settle(next);
      state = next;
    }
  });

  it('refuses a cell that comes from elsewhere, and a state that is not the one', () => {
    const [a, b] = [
      makeState(empty.set(numberKey(1, 32), leaf(1))),
      makeState(empty.set(numberKey(1, 32), leaf(2))),
    ];
    settle(a);
    settle(b);
    expect(() => makeUpdate(a, new CellBuilder().ref(b).cell())).toThrow(UpdateError);
    const update = makeUpdate(a, makeState(empty.set(numberKey(2, 32), leaf(3))));
    expect(() => applyUpdate(b, update)).toThrow(ApplyUpdateError);
  });
});

describeWithChain('state updates from the first block', (chain) => {
  it('lead from the zerostates through all blocks, splits included', () => {
    const states = new Map<string, Cell>();
    for (const file of chain.states) {
      const bytes = readFileSync(file);
      const root = readCell(bytes);
      states.set(Buffer.from(root.hash()).toString('hex'), root);
    }
    const blocks = [...blockFiles(chain.data)].filter(({ name }) => name.startsWith(chain.set));
    const bySeqno = blocks.map((block) => ({ ...block, header: readBlockHeader(block.bytes) }));
    bySeqno.sort((a, b) => a.header.seqno - b.header.seqno);
    let accountsBuilt = 0;
    for (const { bytes, header } of bySeqno) {
      const boc = parseBoc(bytes);
      const root = readCell(bytes);
      expect(onlyRoot(boc)).toBe(0);
      const before = states.get(Buffer.from(header.prevRefs[0]!.rootHash).toString('hex'))!;
      const after = applyUpdate(before, root.refs[2]!);
      expect(after.levelMask).toBe(0);
      states.set(Buffer.from(header.rootHash).toString('hex'), after);
      accountsBuilt++;
    }
    expect(accountsBuilt).toBe(chain.blocks);
  });
});
