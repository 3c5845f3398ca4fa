import type { Bus } from '../../log/port.ts';
import { poll } from '../../platform/retry/poll.ts';

const POLL_INTERVAL_MS = 50;

/**
 * Resolves when a group has committed everything that its topic held when this was called, or when `signal` aborts.
 * `group`: asked at each look, since the version that is written may change meanwhile.
 */
export async function whenCaughtUp(
  bus: Bus,
  topic: string,
  group: () => string,
  signal: AbortSignal,
): Promise<void> {
  const ends = (await bus.bounds(topic)).filter(({ next }) => next > 0);
  /** The target of the partitions, which all read the same. */
  let steps: number | null = null;
  const hasCaughtUp = async () => {
    if (signal.aborted) return true;
    const own = (await bus.lag()).filter((lag) => lag.topic === topic && lag.group === group());
    if (own[0]?.isPartition) {
      steps ??= own[0].end;
      return own.every(({ committed }) => committed >= (steps ?? 0));
    }
    const committed = new Map(own.map((lag) => [lag.lane, lag.committed]));
    return ends.every(({ lane, next }) => (committed.get(lane) ?? 0) >= next);
  };
  await poll(hasCaughtUp, { everyMs: POLL_INTERVAL_MS });
}
