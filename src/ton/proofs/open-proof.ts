import { type Boc, parseBoc } from '../boc/boc.ts';
import { CellHashes } from '../boc/cell-hashes.ts';
import { MERKLE_PROOF } from '../boc/cell-type.ts';
import { checkExotics } from '../boc/check-exotics.ts';
import { ProofError } from './proof-error.ts';

/** The tree inside a Merkle proof. Unneeded cells are pruned; every reader refuses a pruned cell that it needs. */
export interface ProvenTree {
  readonly boc: Boc;
  readonly hashes: CellHashes;
  /** The virtual root: the cell below the Merkle proof. */
  readonly root: number;
  /** Hash of the tree as it was before pruning: compare it with a known hash. */
  readonly hash: Uint8Array;
}

/** A proof is small; a hostile server's is not worth more memory. */
const MAX_CELLS = 1 << 20;

/**
 * Parses a bag of Merkle proofs and checks that each proof's stored hash and depth are those of its cells.
 * @throws ProofError a root that is no Merkle proof; BocError
 */
export function openProofs(what: string, bytes: Uint8Array): ProvenTree[] {
  const boc = parseBoc(bytes, { maxCells: MAX_CELLS });
  const hashes = new CellHashes(boc);
  checkExotics(hashes);
  return boc.roots.map((proof) => {
    // A level above 0 means that a pruned branch belongs to a Merkle cell outside this bag.
    if (boc.type[proof] !== MERKLE_PROOF || boc.levelMask[proof] !== 0)
      throw new ProofError(
        what,
        'a Merkle proof of level 0',
        `type ${boc.type[proof]}, level mask ${boc.levelMask[proof]}`,
      );
    const root = boc.refs[proof * 4]!;
    return { boc, hashes, root, hash: hashes.hash(root, 0) };
  });
}

/** As `openProofs`, for a bag of one proof. @throws ProofError, BocError */
export function openProof(what: string, bytes: Uint8Array): ProvenTree {
  const [proof, ...others] = openProofs(what, bytes);
  if (!proof || others.length > 0) throw new ProofError(what, 'one root', `${others.length + 1}`);
  return proof;
}

/** As `openProofs`, for a bag of two proofs. @throws ProofError, BocError */
export function openPair(what: string, bytes: Uint8Array): [ProvenTree, ProvenTree] {
  const proofs = openProofs(what, bytes);
  const [first, second] = proofs;
  if (!first || !second || proofs.length !== 2) throw new ProofError(what, 'two roots', `${proofs.length}`);
  return [first, second];
}
