/** The signatures of a masterchain block's predecessor, for their form; mirrors tlb/crypto-signature.ts. */
import { bad, end, enter, expectTag, keep, leave, peek, ref, restore, skipBits } from '../bags/cursor';
import { nextLeaf, openWalk } from '../bags/dictionary';

/** ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple; */
function skipSimple(): void {
  expectTag(4, 5, 'CryptoSignatureSimple');
  skipBits(512);
}

/**
 *     ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
 *     certificate#4 temp_key:SigPubKey valid_since:uint32 valid_until:uint32 = Certificate;
 *     signed_certificate$_ certificate:Certificate certificate_signature:CryptoSignature = SignedCertificate;
 */
function skipCertificate(): void {
  expectTag(4, 4, 'Certificate');
  expectTag(32, 0x8e81278a, 'SigPubKey');
  skipBits(256 + 32 + 32);
  skipSignature();
}

/**
 *     _ CryptoSignatureSimple = CryptoSignature;
 *     chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple = CryptoSignature;
 */
function skipSignature(): void {
  const tag = peek(4);
  if (tag == 0xf) {
    skipBits(4);
    enter(ref());
    skipCertificate();
    leave('SignedCertificate');
  } else if (tag != 5) {
    bad('CryptoSignature', 5, tag);
  }
  skipSimple();
}

/** prev_blk_signatures:(HashmapE 16 CryptoSignaturePair), from its root. */
export function checkSignatures(root: i32): void {
  keep();
  openWalk(root, 16, false);
  while (nextLeaf()) {
    skipBits(256);
    skipSignature();
    end('CryptoSignaturePair');
  }
  restore();
}
