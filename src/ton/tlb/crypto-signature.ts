import type { Boc } from '../boc/boc.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import { forEachLeaf } from '../boc/hashmap.ts';
import { expectTag, unknownTag } from './tag.ts';
import { loadWholeCell } from './whole-cell.ts';

// ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple;
function skipSimpleSignature(slice: CellSlice): void {
  expectTag(slice, 4, 5, 'CryptoSignatureSimple');
  slice.skipBits(512);
}

// ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
// certificate#4 temp_key:SigPubKey valid_since:uint32 valid_until:uint32 = Certificate;
// signed_certificate$_ certificate:Certificate certificate_signature:CryptoSignature = SignedCertificate;
function skipSignedCertificate(slice: CellSlice): void {
  expectTag(slice, 4, 4, 'Certificate');
  expectTag(slice, 32, 0x8e81278a, 'SigPubKey');
  slice.skipBits(256 + 32 + 32);
  skipSignature(slice);
}

// _ CryptoSignatureSimple = CryptoSignature;
// chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple = CryptoSignature;
function skipSignature(slice: CellSlice): void {
  const tag = slice.peekUint(4);
  if (tag === 0xf) {
    slice.skipBits(4);
    loadWholeCell(slice.boc, slice.ref(), 'SignedCertificate', skipSignedCertificate);
  } else if (tag !== 5) {
    throw unknownTag(slice, 'CryptoSignature', tag);
  }
  skipSimpleSignature(slice);
}

/** Reads the dictionary of signatures for its form and gives their number. */
// sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
// prev_blk_signatures:(HashmapE 16 CryptoSignaturePair)
export function countSignatures(boc: Boc, root: number): number {
  let count = 0;
  forEachLeaf(boc, root, 16, (_key, value) => {
    value.skipBits(256);
    skipSignature(value);
    value.end('CryptoSignaturePair');
    count++;
  });
  return count;
}
