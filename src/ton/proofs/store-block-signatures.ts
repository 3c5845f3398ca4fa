import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';
import { numberKey } from '../cell/key-bits.ts';
import { NO_EXTRA, Trie, type TrieForm } from '../cell/trie.ts';
import {
  type BlockSignature,
  ED25519_TAG,
  ORDINARY_TAG,
  SIMPLEX_TAG,
  type SignatureSet,
} from './signature-set.ts';

// sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
const SIGNATURES: TrieForm<BlockSignature, null> = {
  keyBits: 16,
  store: (builder, { nodeId, signature }) => builder.bytes(nodeId).uint(ED25519_TAG, 4).bytes(signature),
  extra: NO_EXTRA,
};

/** Writes a set of which the weight is known; the grammar is at `loadBlockSignatures`. */
export function storeBlockSignatures(builder: CellBuilder, set: SignatureSet): void {
  let signatures = Trie.empty<BlockSignature>(SIGNATURES);
  for (const [index, signature] of set.signatures.entries())
    signatures = signatures.set(numberKey(index, 16), signature);
  builder.uint(set.kind === 'ordinary' ? ORDINARY_TAG : SIMPLEX_TAG, 8);
  builder.uint(set.listHash, 32).uint(set.catchainSeqno, 32);
  builder.uint(set.signatures.length, 32).u64(set.statedWeight ?? 0n);
  signatures.store(builder);
  if (set.kind === 'ordinary') return;
  builder.bytes(set.sessionId).uint(set.slot, 32).ref(chainOfBytes(set.candidate));
}

/** Bytes of a cell in a chain, as the reference node's `CellString` fills them. */
const CELL_BYTES = 127;

function chainOfBytes(bytes: Uint8Array): Cell {
  const builder = new CellBuilder().bytes(bytes.subarray(0, CELL_BYTES));
  if (bytes.length > CELL_BYTES) builder.ref(chainOfBytes(bytes.subarray(CELL_BYTES)));
  return builder.cell();
}
