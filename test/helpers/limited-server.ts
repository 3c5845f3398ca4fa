import { onTestFinished } from 'vitest';
import { type ApiKey, newKey } from '../../src/api/keys/api-key.ts';
import { KeyRing } from '../../src/api/keys/key-ring.ts';
import type { RateCounts } from '../../src/api/rate-counts.ts';
import type { ServeSettings } from '../../src/api/serve-context.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import { storelessContext } from './storeless-context.ts';
import { baseVector } from './version-vector.ts';

/** A server that keeps limits, over an index of five blocks that nobody reads. */
export interface LimitedServer {
  readonly url: string;
  readonly ring: KeyRing;
}

export interface LimitedOptions {
  readonly settings?: Partial<ServeSettings>;
  readonly counts?: RateCounts;
  /** Takes what is to be closed. Default: at the end of the test. */
  readonly onEnd?: (close: () => void | Promise<void>) => void;
}

/** Starts a server that knows the keys of a list, whose changes it reads as from a store. */
export async function startLimited(
  keys: readonly ApiKey[],
  { settings = {}, counts, onEnd = onTestFinished }: LimitedOptions = {},
): Promise<LimitedServer> {
  const ring = new KeyRing({ network: 'test', read: async () => [...keys], log: { warn: () => {} } });
  await ring.start();
  onEnd(() => ring.close());
  const context = {
    ...storelessContext({ keylessLimit: 1, ...settings }),
    vector: () => baseVector('base_test', { first: 1, last: 5 }),
    keys: ring,
    rateCounts: counts,
  };
  const { url, close } = await startServing(context, { host: '127.0.0.1', port: 0 });
  onEnd(() => close());
  return { url, ring };
}

/** A key and its text. `requestsPerSecond` 0: without a limit. */
export function keyOf(facts: Partial<ApiKey> = {}): { readonly text: string; readonly key: ApiKey } {
  const { id, hash, text } = newKey('test');
  const key = { id, hash, name: 'a', requestsPerSecond: 0, createdAt: 1, expiresAt: null, isRevoked: false };
  return { text, key: { ...key, ...facts } };
}
