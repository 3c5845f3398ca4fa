import { pause, poll } from '../../../platform/retry/poll.ts';
import { BusClosedError } from '../../errors.ts';
import type { CallGate } from '../call-gate.ts';
import type { RecordsTopic } from '../topics/records-topic.ts';
import type { OpenTopic } from '../topics/topic-registry.ts';

/** A topic of single records has no index to watch. */
const POLL_MS = 200;

/**
 * Resolves when the topic grows, after `ms`, or at once if one of the lanes `drained` has grown beyond its empty read.
 * @throws BusClosedError
 */
export async function waitForChange(
  topic: OpenTopic,
  drained: ReadonlyMap<number, number>,
  ms: number,
  gate: CallGate,
): Promise<void> {
  const { closing } = gate;
  if (closing.aborted) throw new BusClosedError('waitForData');
  if (topic.kind === 'steps') for (const [lane, from] of drained) if (topic.index.end(lane) > from) return;
  const over = new AbortController();
  const signal = AbortSignal.any([closing, over.signal]);
  const changed = topic.kind === 'steps' ? topic.changed(signal) : pollEnd(topic, drained, signal);
  await Promise.race([changed, pause(ms, signal)]).catch(() => {});
  over.abort();
  changed.catch(() => {});
  if (closing.aborted) throw new BusClosedError('waitForData');
}

async function pollEnd(
  topic: RecordsTopic,
  drained: ReadonlyMap<number, number>,
  signal: AbortSignal,
): Promise<void> {
  const known = drained.get(0) ?? (await topic.end());
  await poll(async () => (await topic.end()) > known, { everyMs: POLL_MS, signal });
}
