import { sha256 } from '../hash/sha256.ts';

/** TL id of `pub.ed25519 key:int256 = PublicKey`, little-endian. */
const ED25519_KEY = Uint8Array.of(0xc6, 0xb4, 0x13, 0x48);

/** Short id of an Ed25519 key: how signature sets and lite clients name a node. 32 bytes. */
export function keyId(publicKey: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + 32);
  bytes.set(ED25519_KEY);
  bytes.set(publicKey, 4);
  return sha256(bytes);
}
