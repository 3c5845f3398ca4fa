import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../../src/capture/block-id.ts';
import { ChangedBlockError, ForeignBlockError } from '../../../../src/capture/chain/chain-errors.ts';
import { type BlockReferences, checkReferences } from '../../../../src/capture/files/check-references.ts';
import { idAt } from '../chain/chain-dsl.ts';

const MC = '-1:8000';
const masterchain = (seqno: number, salt = '', before = ''): BlockReferences => ({
  id: idAt(MC, seqno, salt),
  file: `mc${seqno}${salt}`,
  globalId: -239,
  masterRef: null,
  prevRefs: [idAt(MC, seqno - 1, before)],
});
const shard = (seqno: number, masterRef: BlockIdExt, globalId = -239): BlockReferences => ({
  id: idAt('0:8000', seqno),
  file: `shard${seqno}`,
  globalId,
  masterRef,
  prevRefs: [idAt('0:8000', seqno - 1)],
});
const chain = [1, 2, 3, 4, 5].map((seqno) => masterchain(seqno));

describe('references among the blocks of a folder', () => {
  it('may lead out of it', () => {
    checkReferences([...chain, shard(9, idAt(MC, 77)), shard(10, idAt(MC, 3))]);
    checkReferences([]);
  });

  it('tell a block with another global_id', () => {
    expect(() => checkReferences([shard(1, idAt(MC, 1), -3), ...chain])).toThrow(
      /shard1 is of another chain: global_id/,
    );
  });

  it('tell a shard block made under another masterchain', () => {
    const foreign = shard(9, idAt(MC, 3, 'x'));
    expect(() => checkReferences([foreign, ...chain])).toThrow(ForeignBlockError);
    expect(() => checkReferences([foreign, ...chain])).toThrow(/shard9/);
  });

  it('tell a masterchain block that was put behind the last', () => {
    expect(() => checkReferences([...chain, masterchain(6, 'x', 'x')])).toThrow(/mc6x is of another chain/);
  });

  it('tell a masterchain block that was changed', () => {
    const changed = chain.map((block) => (block.id.seqno === 3 ? masterchain(3, 'x') : block));
    expect(() => checkReferences(changed)).toThrow(ChangedBlockError);
    expect(() => checkReferences([...changed, shard(9, idAt(MC, 3))])).toThrow(/in mc3x/);
  });
});
