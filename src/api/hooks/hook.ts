import { randomBytes } from 'node:crypto';

/** A webhook as the store holds it. */
export interface Hook {
  readonly id: string;
  readonly url: string;
  /** `whsec_` and base64 of the 32 bytes that deliveries are signed with. */
  readonly secret: string;
  /** Subscription of streaming.md 2, JSON. */
  readonly filter: string;
  /** Id of the event after which deliveries begin; empty: the newest one when a server first delivers. */
  readonly start: string;
  /** Its address may be private (loopback, local networks). */
  readonly allowsPrivate: boolean;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly isRemoved: boolean;
}

/** A delivery that was given up. */
export interface HookDeadLetter {
  readonly hook: string;
  /** `HOOK_EVENT`: the same whenever and however often the event is sent. */
  readonly delivery: string;
  readonly body: string;
  readonly error: string;
  readonly state: 'open' | 'due' | 'delivered';
}

/** An id and a secret for a new webhook. */
export function newHookKeys(): Pick<Hook, 'id' | 'secret'> {
  return {
    id: randomBytes(6).toString('hex'),
    secret: `whsec_${randomBytes(32).toString('base64')}`,
  };
}
