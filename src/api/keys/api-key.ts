import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key of the API as the store holds it. Times in Unix seconds. */
export interface ApiKey {
  /** Public part of the key: names it in lists, logs and limits. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the whole key, 64 hex digits. Keys are random, so a slow hash would only cost the server. */
  readonly hash: string;
  /** 0: without a limit. */
  readonly requestsPerSecond: number;
  readonly createdAt: number;
  /** null: never. */
  readonly expiresAt: number | null;
  readonly isRevoked: boolean;
}

/** Public parts of a key that was sent. */
export interface SentKey {
  /** Network that the key is of. */
  readonly network: string;
  readonly id: string;
}

const ID_BYTES = 6;
const SECRET_BYTES = 32;
/** `<network>.<id>.<secret>`: the first two identify the key, the last proves it. */
const TEXT = /^([a-z0-9_]{1,40})\.([0-9a-f]{12})\.[\w-]{43}$/;

/** A new key: its text, which is shown once, and what the store keeps of it. */
export function newKey(network: string): SentKey & { readonly text: string; readonly hash: string } {
  const id = randomBytes(ID_BYTES).toString('hex');
  const text = `${network}.${id}.${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { network, id, text, hash: hash('sha256', text) };
}

/** Network and id of a key; null for any other text. */
export function readKey(text: string): SentKey | null {
  const [, network, id] = TEXT.exec(text) ?? [];
  return network !== undefined && id !== undefined ? { network, id } : null;
}

/** Whether the text is the key, compared in constant time. */
export function isKey(key: Pick<ApiKey, 'hash'>, text: string): boolean {
  return timingSafeEqual(Buffer.from(hash('sha256', text)), Buffer.from(key.hash));
}
