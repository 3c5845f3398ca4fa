import { FencedError, LeaseHeldError } from '../errors.ts';
import type { Lease } from '../port.ts';
import type { Commands } from './commands.ts';
import type { CoordinationState, WriterState } from './coordination-state.ts';

export const writerResource = (topic: string) => `writer of ${topic}`;

/** Takes the lease: free, lapsed, or the owner's own from before. The generation grows with every taking. */
export function applyTakeWriter(
  state: CoordinationState,
  { topic, owner, sessionMs }: Commands['takeWriter']['args'],
): Lease {
  const held = state.writers.get(topic);
  if (held?.owner && held.owner !== owner && held.expiresAt > state.now)
    throw new LeaseHeldError(writerResource(topic), held.owner, new Date(held.expiresAt));
  const generation = (held?.generation ?? 0) + 1;
  state.writers.set(topic, { generation, owner, expiresAt: state.now + sessionMs });
  return { generation, owner };
}

/** A lapsed lease that no other writer took is still valid: only a newer generation fences. */
export function checkWriter(
  state: CoordinationState,
  { topic, owner, generation }: { readonly topic: string } & Lease,
): WriterState {
  const held = state.writers.get(topic);
  if (held?.owner === owner && held.generation === generation) return held;
  throw new FencedError(writerResource(topic), generation, held?.owner ? held.generation : null);
}

export function applyRenewWriter(state: CoordinationState, args: Commands['renewWriter']['args']): undefined {
  checkWriter(state, args).expiresAt = state.now + args.sessionMs;
}

/** Releases the lease if it is still held. The generation stays, so that the next one is newer. */
export function applyReleaseWriter(
  state: CoordinationState,
  { topic, owner, generation }: Commands['releaseWriter']['args'],
): undefined {
  const held = state.writers.get(topic);
  if (held?.owner !== owner || held.generation !== generation) return;
  held.owner = null;
  held.expiresAt = 0;
}
