import { expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { cellWith } from '../../../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { writeCandidate } from '../../../../src/ton/proofs/candidate.ts';
import { loadBlockSignatures, type SimplexSignatures } from '../../../../src/ton/proofs/signature-set.ts';
import { ordinarySignedBytes, simplexSignedBytes } from '../../../../src/ton/proofs/signed-bytes.ts';
import { storeBlockSignatures } from '../../../../src/ton/proofs/store-block-signatures.ts';
import { masterchainSubset } from '../../../../src/ton/proofs/validator-subset.ts';
import { loadWholeCell } from '../../../../src/ton/tlb/whole-cell.ts';
import { configuration, makeValidator, refusalOf, signWith } from './made-validators.ts';

const CATCHAIN_SEQNO = 7;
const validators = [10n, 10n, 10n, 1n].map(makeValidator);
const config = configuration(validators);
const subset = masterchainSubset(config.set, config.catchain, CATCHAIN_SEQNO);
const block = {
  workchain: -1,
  shard: 1n << 63n,
  seqno: 5,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
  genValidatorListHashShort: subset.listHash,
  genCatchainSeqno: CATCHAIN_SEQNO,
};
const vote = { sessionId: new Uint8Array(32).fill(3), slot: 9, candidate: writeCandidate(block) };

function simplexSet(
  signers = validators,
  { sessionId, slot, candidate } = vote,
  bytes = simplexSignedBytes({ sessionId, slot, candidate }),
): SimplexSignatures {
  return {
    kind: 'simplex',
    listHash: subset.listHash,
    catchainSeqno: CATCHAIN_SEQNO,
    signatures: signers.map((signer) => signWith(signer, bytes)),
    statedWeight: signers.reduce((sum, { weight }) => sum + weight, 0n),
    sessionId,
    slot,
    candidate,
  };
}

it('signatures of a final vote prove the block of its candidate', () => {
  expect(refusalOf(simplexSet(), block, config)).toBeNull();
  expect(refusalOf(simplexSet(validators.slice(0, 3)), block, config)).toBeNull();
});

it('exactly two thirds of the weight, a second signature and a turned bit are refused', () => {
  const three = configuration(validators.slice(0, 3));
  const { listHash } = masterchainSubset(three.set, three.catchain, CATCHAIN_SEQNO);
  const of = (signers: typeof validators) => ({ ...simplexSet(signers), listHash });
  const header = { ...block, genValidatorListHashShort: listHash };
  expect(refusalOf(of(validators.slice(0, 2)), header, three)).toBe('weight');
  expect(refusalOf(of(validators.slice(0, 3)), header, three)).toBeNull();
  const twice = [...validators, validators[0]!];
  expect(refusalOf(simplexSet(twice), block, config)).toBe('signer');
  const set = simplexSet();
  const signature = set.signatures[3]!.signature.slice();
  signature[63]! ^= 0x10;
  const signatures = set.signatures.with(3, { ...set.signatures[3]!, signature });
  expect(refusalOf({ ...set, signatures }, block, config)).toBe('signature');
});

it('a candidate with another block, or data of another form, is refused', () => {
  const other = { ...block, rootHash: new Uint8Array(32).fill(4) };
  expect(
    refusalOf(simplexSet(validators, { ...vote, candidate: writeCandidate(other) }), block, config),
  ).toBe('candidate');
  const seqno = writeCandidate({ ...block, seqno: 6 });
  expect(refusalOf(simplexSet(validators, { ...vote, candidate: seqno }), block, config)).toBe('candidate');
  for (const candidate of [
    vote.candidate.subarray(0, -1),
    new Uint8Array([...vote.candidate, 0]),
    vote.candidate.with(0, 0),
    new Uint8Array(0),
  ])
    expect(refusalOf(simplexSet(validators, { ...vote, candidate }), block, config)).toBe('candidate');
});

it('a signature for another session, slot or candidate, or of the block id, is refused', () => {
  const bytes = simplexSignedBytes(vote);
  expect(refusalOf(simplexSet(validators, { ...vote, slot: 10 }, bytes), block, config)).toBe('signature');
  const sessionId = new Uint8Array(32).fill(5);
  expect(refusalOf(simplexSet(validators, { ...vote, sessionId }, bytes), block, config)).toBe('signature');
  const set = simplexSet(validators, vote, ordinarySignedBytes(block));
  expect(refusalOf(set, block, config)).toBe('signature');
});

it('a set in a cell is read as it was written', () => {
  const ordinary = { ...simplexSet(), kind: 'ordinary' as const };
  const { sessionId: _session, slot: _slot, candidate: _candidate, ...facts } = ordinary;
  for (const set of [simplexSet(), facts]) {
    const boc = parseBoc(writeBag(cellWith(storeBlockSignatures, set)));
    expect(loadWholeCell(boc, onlyRoot(boc), 'BlockSignatures', loadBlockSignatures)).toEqual(set);
  }
});
