import type { Cell } from '../ton/cell/cell.ts';
import { writeBag } from '../ton/cell/write-bag.ts';
import { makeProof } from '../ton/proofs/make-proof.ts';
import { type BlockParts, visitBlockExtra, visitHeader, visitMcExtra } from '../ton/proofs/visit-block.ts';
import { Visits } from '../ton/proofs/visits.ts';
import type { LiteBlock } from './chain/lite-block.ts';

/** A bag as the reference server writes one: with a checksum, without an index. */
export function toBag(roots: Cell | readonly Cell[]): Uint8Array {
  return writeBag(roots, { index: false });
}

/** A Merkle proof of what `visit` reads below a root, and what it returned. */
export function prove<T>(
  root: Cell,
  visit: (visits: Visits) => T,
): { readonly proof: Cell; readonly result: T } {
  const visits = new Visits();
  const result = visit(visits);
  return { proof: makeProof(root, visits), result };
}

/** Bits of `mode` that add parts to a header proof. */
const WITH_VALUE_FLOW = 2;
const WITH_EXTRA = 16;
const WITH_SHARD_HASHES = 32;

/** Proof of a block's header, with the parts that `mode` asks for. */
export function headerProof({ root }: LiteBlock, mode = 0): Cell {
  return prove(root, (visits) => visitParts(visits, visitHeader(visits, root), mode)).proof;
}

function visitParts(visits: Visits, { valueFlow, extra, info }: BlockParts, mode: number): void {
  if (mode & WITH_VALUE_FLOW) visits.open(valueFlow);
  if (mode & WITH_EXTRA) visitBlockExtra(visits, extra);
  if (!(mode & WITH_SHARD_HASHES) || info.notMaster) return;
  const { shardHashes } = visitMcExtra(visits, extra);
  if (shardHashes) visits.openAll(shardHashes);
}
