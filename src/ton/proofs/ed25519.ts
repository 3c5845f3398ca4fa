import { createPublicKey, verify } from 'node:crypto';

/** DER of an Ed25519 public key, up to its 32 bytes (RFC 8410). */
const SPKI_PREFIX = Uint8Array.fromHex('302a300506032b6570032100');

/** True if the signature of 64 bytes is the key's for these bytes. */
export function isSignedBy(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([SPKI_PREFIX, publicKey]);
  return verify(null, bytes, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}
