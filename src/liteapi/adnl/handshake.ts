import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { type KeyPair, keyId, keyPair, sha256Joined, sharedSecret } from './keys.ts';

/** Bytes that a client sends first: server key id, client public key, hash and 160 encrypted bytes. */
export const HANDSHAKE_LENGTH = 256;
const SECRET_LENGTH = 160;

type Cipher = ReturnType<typeof createCipheriv>;

/** The two streams of a connection, as one end uses them. */
export interface Streams {
  readonly send: Cipher;
  readonly receive: Cipher;
}

/** A handshake that is not for this server, or is damaged. */
export class HandshakeError extends DataError {}

/** Makes the client's first 256 bytes and its streams. `serverKey` is the server's public key. */
export function startHandshake(serverKey: Uint8Array): { readonly hello: Buffer; readonly streams: Streams } {
  const own = keyPair();
  const parameters = randomBytes(SECRET_LENGTH);
  const hash = sha256Joined(parameters);
  const cipher = helloCipher(sharedSecret(own, serverKey), hash);
  return {
    hello: Buffer.concat([keyId(serverKey), own.publicKey, hash, cipher.update(parameters)]),
    streams: { send: stream(parameters, 32, 80), receive: stream(parameters, 0, 64) },
  };
}

/**
 * Reads a client's first 256 bytes and makes the server's streams.
 * @throws HandshakeError
 */
export function acceptHandshake(hello: Uint8Array, own: KeyPair): Streams {
  if (!keyId(own.publicKey).equals(hello.subarray(0, 32)))
    throw new HandshakeError('the client wants a server of another key');
  const hash = hello.subarray(64, 96);
  const parameters = helloCipher(clientSecret(own, hello.subarray(32, 64)), hash).update(hello.subarray(96));
  if (!sha256Joined(parameters).equals(hash))
    throw new HandshakeError('hash of the parameters does not match');
  return { send: stream(parameters, 0, 64), receive: stream(parameters, 32, 80) };
}

function clientSecret(own: KeyPair, publicKey: Uint8Array): Buffer {
  try {
    return sharedSecret(own, publicKey);
  } catch (cause) {
    throw new HandshakeError('the client has an unusable key', { cause });
  }
}

/** AES in counter mode is its own inverse: both ends use this cipher. */
function helloCipher(secret: Uint8Array, hash: Uint8Array): Cipher {
  return createDecipheriv(
    'aes-256-ctr',
    Buffer.concat([secret.subarray(0, 16), hash.subarray(16, 32)]),
    Buffer.concat([hash.subarray(0, 4), secret.subarray(20, 32)]),
  );
}

function stream(parameters: Uint8Array, key: number, counter: number): Cipher {
  return createCipheriv(
    'aes-256-ctr',
    parameters.subarray(key, key + 32),
    parameters.subarray(counter, counter + 16),
  );
}
