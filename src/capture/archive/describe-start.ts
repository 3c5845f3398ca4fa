import type { BlockShelf } from '../chain/chain-steps.ts';
import type { SourceFacts } from '../source.ts';

/** Facts of the first masterchain block of a shelf. */
export async function describeStart(
  shelf: BlockShelf,
): Promise<Pick<SourceFacts, 'firstMcSeqno' | 'zerostate' | 'globalId'>> {
  const firstMcSeqno = await shelf.masterchainFrom(0);
  const id = firstMcSeqno === null ? null : await shelf.masterchainId(firstMcSeqno);
  const first = id && (await shelf.read(id));
  const prev = first?.header.prevRefs[0];
  return {
    firstMcSeqno,
    zerostate: prev?.seqno === 0 ? { rootHash: prev.rootHash, fileHash: prev.fileHash } : null,
    globalId: first?.header.globalId ?? null,
  };
}
