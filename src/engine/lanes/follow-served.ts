import { setTimeout as sleep } from 'node:timers/promises';
import { patiently } from '../../platform/clickhouse/patience.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { FIRST_VERSION, groupOf } from '../versions/version-names.ts';
import { whenCaughtUp } from './caught-up.ts';
import type { LaneLoopPorts } from './lane-loop.ts';
import { tableMember } from './lane-options.ts';
import { runMember } from './run-member.ts';

/** How often what follows the head looks which version it is to write. */
const LOOK_MS = 500;

export interface ServedWatch extends Pick<LaneLoopPorts, 'onBatch'> {
  /** Before a version is written. */
  readonly onVersion?: (version: number) => void;
}

export interface FollowedHead {
  /** Rejects with what stopped it. */
  readonly running: Promise<void>;
  /** Resolves when the served version has everything that the log holds now. */
  caughtUp(): Promise<void>;
}

/** Follows the head with the version of a projection that is served. */
export function followHead(
  parts: EngineParts,
  settings: LaneSettings,
  watch: Pick<LaneLoopPorts, 'onBatch'>,
  signal: AbortSignal,
): FollowedHead {
  const { bus, projection } = parts;
  let version = FIRST_VERSION;
  const onVersion = (served: number) => {
    version = served;
  };
  return {
    running: followServed(parts, settings, { ...watch, onVersion }, signal),
    caughtUp: () => whenCaughtUp(bus, projection.reads, () => groupOf(projection, version), signal),
  };
}

/**
 * Runs the lanes of the version that is served: when the pointer moves, it finishes its batches and goes on where the
 * consumer group of the other version is. Runs until `signal` aborts, or throws what stopped it.
 */
export async function followServed(
  parts: EngineParts,
  settings: LaneSettings,
  watch: ServedWatch,
  signal: AbortSignal,
): Promise<void> {
  const { client, identity, log, projection } = parts;
  const onFailure = (error: unknown, pauseMs: number) =>
    log.warn({ error, pauseMs }, 'the store does not answer; trying again');
  while (!signal.aborted) {
    const version = await patiently(() => servedVersion(client, identity, projection), { signal, onFailure });
    watch.onVersion?.(version);
    const moved = new AbortController();
    const stop = AbortSignal.any([signal, moved.signal]);
    const member = await tableMember({ ...parts, version, signal: stop }, settings, watch);
    const looking = whenMoved(parts, version, stop, moved);
    try {
      await runMember(member, stop);
    } finally {
      moved.abort();
      await looking;
    }
    if (!signal.aborted) log.info({ before: version }, 'another version is served: the head goes there');
  }
}

/** Aborts `moved` when another version is served; a store that is away is asked again. */
async function whenMoved(
  { client, identity, projection }: EngineParts,
  version: number,
  stop: AbortSignal,
  moved: AbortController,
): Promise<void> {
  while (!stop.aborted) {
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    // What is wrong with the store is met, and said, by who writes to it.
    const served = await servedVersion(client, identity, projection).catch(() => version);
    if (served !== version) moved.abort();
  }
}
