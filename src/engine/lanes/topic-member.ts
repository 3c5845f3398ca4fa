import type { LogIdentity, TransformingBus, TransformOptions } from '../../log/port.ts';
import type { Log } from '../../platform/observability/log.ts';
import { createDeadLetterSink } from '../dead-letters/dead-letter-sink.ts';
import type { ChunkDecoder } from '../decoding/chunk.ts';
import { startDecoder } from '../decoding/start-decoder.ts';
import type { DecoderSettings } from '../engine-parts.ts';
import type { EngineMetrics } from '../metrics/engine-metrics.ts';
import type { TopicProjection } from '../projection/projection.ts';
import type { GroupMember } from './run-member.ts';
import { TopicLane, type TopicLanePorts } from './topic-lane.ts';

/** A projection into topics, with the log that it reads and writes. */
export interface TopicParts {
  readonly projection: TopicProjection;
  readonly bus: TransformingBus;
  readonly identity: LogIdentity;
  readonly owner: string;
  readonly log: Log;
  /** Counters of the work. Default: none. */
  readonly metrics?: EngineMetrics;
}

/** The topics of a projection as the bus knows them. */
export function getTransform({ reads, group, topics }: TopicProjection): TransformOptions {
  return { topic: reads, group, outputs: topics };
}

/**
 * A member of the group that writes a projection into its topics, for `runMember`.
 * `decoder`: one to use instead of the setting's; either is closed with the member.
 */
export async function topicMember(
  parts: TopicParts,
  settings: DecoderSettings & { readonly sessionMs: number },
  watch: Pick<TopicLanePorts, 'onBatch'>,
  decoder?: ChunkDecoder,
): Promise<GroupMember> {
  const { projection, bus, identity, owner, log, metrics } = parts;
  const { reads: topic, group } = projection;
  const { sessionMs } = settings;
  const onNotice = (text: string) => log.info({ stage: group }, text);
  const ports: TopicLanePorts = {
    beginOutput: projection.createEncoder(identity.lanes),
    consumer: await bus.consumer({ topic, group, owner, sessionMs, shownAs: projection.name }),
    decoder: decoder ?? (await startDecoder(parts, settings)),
    transform: (lease) => bus.transform(getTransform(projection), lease),
    deadLetters: createDeadLetterSink(bus, group, topic),
    onBatch: (batch) => {
      metrics?.published(projection.name, batch);
      watch.onBatch(batch);
    },
    onNotice,
  };
  return {
    consumer: ports.consumer,
    decoder: ports.decoder,
    work: (lease, { stop }) => new TopicLane(lease, ports).run(stop),
    sessionMs,
    onNotice,
  };
}
