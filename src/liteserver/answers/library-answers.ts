import type { TlValue } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { nextRef, toSlice } from '../../ton/cell/to-slice.ts';
import { visitState } from '../../ton/proofs/visit-state.ts';
import { Visits } from '../../ton/proofs/visits.ts';
import { loadStateLibraries } from '../../ton/tlb/block/shard-state.ts';
import { expectTag } from '../../ton/tlb/tag.ts';
import { needHead, needMasterState, statedBlock, stateProof } from '../located.ts';
import { toBag } from '../proof-bags.ts';
import type { Answers } from './answers.ts';

/** Limit of the reference server: further hashes are ignored. */
const MAX_LIBRARIES = 16;

/** Public libraries of the masterchain; hashes that it does not have are left out. */
export const LIBRARY_ANSWERS: Answers<'getLibraries' | 'getLibrariesWithProof'> = {
  async getLibraries(context, { library_list }) {
    const { state } = statedBlock(context, await needHead(context));
    return { result: visitLibraries(new Visits(), state, library_list) };
  },
  async getLibrariesWithProof(context, { id, mode, library_list }) {
    const stated = await needMasterState(context, id);
    const { header, proof, result } = stateProof(stated, (visits) =>
      visitLibraries(visits, stated.state, library_list),
    );
    return { id, mode, result, state_proof: toBag(header), data_proof: toBag(proof) };
  },
};

// libraries:(HashmapE 256 LibDescr)
// shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
function visitLibraries(
  visits: Visits,
  state: Cell,
  hashes: readonly Uint8Array[],
): TlValue<'libraryEntry'>[] {
  const { totals } = visitState(visits, state);
  const place = loadStateLibraries(toSlice(totals));
  const root = place < 0 ? null : totals.refs[place]!;
  const wanted = new Map(hashes.map((hash) => [Buffer.from(hash).toString('hex'), hash]));
  return [...wanted.values()].slice(0, MAX_LIBRARIES).flatMap((hash) => {
    const leaf = root && visits.leaf(root, { bytes: hash, bits: 256 });
    if (!leaf) return [];
    expectTag(leaf, 2, 0, 'LibDescr');
    return [{ hash, data: toBag(nextRef(leaf)) }];
  });
}
