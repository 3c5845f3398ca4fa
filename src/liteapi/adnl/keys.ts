import {
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const PRIME = 2n ** 255n - 19n;
const WITHOUT_SIGN = 2n ** 255n - 1n;

/** DER heads of raw keys. */
const DER = {
  ed25519Private: '302e020100300506032b657004220420',
  x25519Private: '302e020100300506032b656e04220420',
  x25519Public: '302a300506032b656e032100',
};

/** Id of the TL type `pub.ed25519`, as bytes. */
const PUB_ED25519 = Buffer.from('c6b41348', 'hex');

/** SHA-256 of the joined parts. */
export function sha256Joined(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Id of a key: hash of the TL value `pub.ed25519` with the 32 bytes of the public key. */
export function keyId(publicKey: Uint8Array): Buffer {
  return sha256Joined(PUB_ED25519, publicKey);
}

/** An Ed25519 key pair of one end of a connection; the seed is the private key. */
export interface KeyPair {
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** Makes the key pair of a seed of 32 bytes, or of a random one. */
export function keyPair(seed: Uint8Array = randomBytes(32)): KeyPair {
  const spki = createPublicKey(privateKey(DER.ed25519Private, seed)).export({ type: 'spki', format: 'der' });
  return { seed, publicKey: spki.subarray(-32) };
}

/**
 * Secret that both ends share: X25519 over the keys moved from Ed25519 to Curve25519.
 * @throws an error of node:crypto for a public key of small order
 */
export function sharedSecret({ seed }: KeyPair, peer: Uint8Array): Buffer {
  // The private scalar of Ed25519 is the first half of this hash; X25519 clamps it.
  const scalar = createHash('sha512').update(seed).digest().subarray(0, 32);
  return diffieHellman({
    privateKey: privateKey(DER.x25519Private, scalar),
    publicKey: createPublicKey({
      key: Buffer.concat([Buffer.from(DER.x25519Public, 'hex'), montgomery(peer)]),
      format: 'der',
      type: 'spki',
    }),
  });
}

function privateKey(head: string, bytes: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([Buffer.from(head, 'hex'), bytes]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** Coordinate u = (1 + y) / (1 - y) of an Ed25519 public key, little-endian. */
function montgomery(publicKey: Uint8Array): Buffer {
  const y = BigInt(`0x${Buffer.from(publicKey).reverse().toString('hex')}`) & WITHOUT_SIGN;
  const u = ((1n + y) * power((1n - y + 2n * PRIME) % PRIME, PRIME - 2n)) % PRIME;
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse();
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}
