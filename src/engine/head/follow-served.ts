import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { pause } from '../../platform/retry/poll.ts';
import { untilSharedMoment } from '../../platform/retry/shared-moment.ts';
import type { EngineParts, LaneSettings, ServedPointers } from '../engine-parts.ts';
import { FeedBell, followFeed } from '../feed/follow-feed.ts';
import type { DecodedRange } from '../lanes/batch-builder.ts';
import { whenCaughtUp } from '../lanes/caught-up.ts';
import { tableMember } from '../lanes/lane-options.ts';
import { runMember } from '../lanes/run-member.ts';
import { memberWatch } from '../replay/fill-partition.ts';
import { PointerWatch } from '../versions/pointer-watch.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { FIRST_VERSION, getGroup } from '../versions/version-names.ts';
import { whenFilled } from './when-filled.ts';

/** Interval at which followers of the head look up the version to write, ms. */
const POLL_INTERVAL_MS = 1_000;

export interface ServedWatch {
  /** A batch of a version is confirmed. */
  readonly onBatch: (range: DecodedRange, version: number) => void;
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
  watch: Pick<ServedWatch, 'onBatch'>,
  signal: AbortSignal,
): FollowedHead {
  const { bus, projection } = parts;
  let version = FIRST_VERSION;
  const onVersion = (served: number) => {
    version = served;
  };
  return {
    running: followServed(parts, settings, { ...watch, onVersion }, signal),
    caughtUp: async () => {
      await whenCaughtUp(bus, projection.reads, () => getGroup(projection, version), signal);
      await whenFilled({ ...parts, version }, signal);
    },
  };
}

/** Resolves when each has everything. Needed projections come first, so each one's input is complete at its turn. */
export async function allCaughtUp(heads: readonly FollowedHead[]): Promise<void> {
  for (const head of heads) await head.caughtUp();
}

/**
 * Follows the head with the version that is served, and feeds the topic that its rows become, if any. Runs until `signal`
 * aborts, or throws what stopped it.
 */
export async function followServed(
  parts: EngineParts,
  settings: LaneSettings,
  watch: ServedWatch,
  signal: AbortSignal,
): Promise<void> {
  const { topic, records, begins = 'head' } = parts.projection.feeds ?? {};
  if (!topic || !records) return followVersions(parts, settings, watch, signal);
  const feed = { topic, records, begins };
  const bell = new FeedBell();
  const onBatch: ServedWatch['onBatch'] = (range, version) => {
    bell.ring();
    watch.onBatch(range, version);
  };
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const running = [
    followVersions(parts, settings, { ...watch, onBatch }, ended),
    followFeed(parts, feed, { ...settings, bell }, ended),
  ];
  try {
    await Promise.all(running);
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}

/**
 * Runs the lanes of the served version. When the pointer moves, it finishes its batches and continues at the other
 * version's consumer group. Runs until `signal` aborts, or throws.
 */
async function followVersions(
  parts: EngineParts,
  settings: LaneSettings,
  watch: ServedWatch,
  signal: AbortSignal,
): Promise<void> {
  const { client, identity, log, projection, pointers = new PointerWatch(client, identity.network) } = parts;
  const onFailure = (error: unknown, pauseMs: number) =>
    log.warn({ error, pauseMs }, 'the store does not answer; retrying');
  while (!signal.aborted) {
    const version = await retryStore(() => servedVersion(client, identity, projection), {
      signal,
      onFailure,
    });
    watch.onVersion?.(version);
    const moved = new AbortController();
    const stop = AbortSignal.any([signal, moved.signal]);
    const written = { ...parts, version, signal: stop };
    const onBatch = (range: DecodedRange) => watch.onBatch(range, version);
    const member = await tableMember(written, settings, memberWatch(written, settings, { onBatch }));
    const watching = whenMoved(() => pointers.of(projection.name), version, stop, moved);
    try {
      await runMember(member, stop);
    } finally {
      moved.abort();
      await watching;
    }
    if (!signal.aborted) log.info({ before: version }, 'another version is served: the head goes there');
  }
}

/** Aborts `moved` when another version is served; a store that is away is asked again. */
async function whenMoved(
  pointer: () => ReturnType<ServedPointers['of']>,
  version: number,
  stop: AbortSignal,
  moved: AbortController,
): Promise<void> {
  while (!stop.aborted) {
    await pause(untilSharedMoment(POLL_INTERVAL_MS), stop);
    if (stop.aborted) return;
    // Failures of the store are met, and reported, by the lanes that write to it.
    const served = await pointer().catch(() => null);
    if (served && (served.version ?? FIRST_VERSION) !== version) moved.abort();
  }
}
