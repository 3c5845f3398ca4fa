import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { sha256 } from '../../ton/hash/sha256.ts';

/** An Ed25519 key. */
export interface KeyPair {
  /** 32 bytes from which the key follows. */
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** DER of a PKCS #8 Ed25519 private key, up to its 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Uint8Array.fromHex('302e020100300506032b657004220420');

/** The key of a name: the same seed and name give the same key. */
export function deriveKey(seed: string, name: string): KeyPair {
  return keyOfSeed(sha256(new TextEncoder().encode(`${seed}|key|${name}`)));
}

export function keyOfSeed(seed: Uint8Array): KeyPair {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const key: KeyObject = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  // The public key is the last 32 bytes of its SPKI form.
  const publicKey = new Uint8Array(
    createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32),
  );
  return { seed, publicKey, sign: (message) => new Uint8Array(sign(null, message, key)) };
}

/** The 64 bytes that clients call the secret key: seed, then public key. In hex. */
export function secretKeyHex({ seed, publicKey }: KeyPair): string {
  return seed.toHex() + publicKey.toHex();
}
