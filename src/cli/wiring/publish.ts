import { join } from 'node:path';
import { PUBLISH } from '../../../pipelines/publish.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import type { LogIdentity, TransformingBus, TransformOptions } from '../../platform/bus/port.ts';
import type { Log } from '../../platform/observability/log.ts';
import { type ChunkDecoder, isFailure } from '../../stages/decode/chunk.ts';
import { createDeadLetterSink } from '../../stages/decode/dead-letters.ts';
import type { PublishDecoder, PublishPorts } from '../../stages/publish/publish-ports.ts';
import type { PublishStageOptions } from '../../stages/publish/publish-stage.ts';
import { RecordEncoder } from '../../stages/publish/record-encoder.ts';
import { type DecoderSettings, recordDecoder } from './decode.ts';
import { PROJECT } from './projection.ts';

export interface PublishSettings extends DecoderSettings {
  readonly sessionMs: number;
}

export interface PublishParts {
  readonly bus: TransformingBus;
  readonly identity: LogIdentity;
  readonly owner: string;
  readonly log: Log;
}

/** What the stage's topics are to the bus. */
export const PUBLISH_TRANSFORM: TransformOptions = {
  topic: PUBLISH.topic,
  group: PUBLISH.group,
  outputs: PUBLISH.outputs.map(({ topic }) => topic),
};

/** Options of `runPublish`, all plugged in. */
export async function publishOptions(
  parts: PublishParts,
  settings: PublishSettings,
  watch: Pick<PublishPorts, 'onBatch'>,
): Promise<PublishStageOptions> {
  const { bus, identity, owner, log } = parts;
  const { topic, group } = PUBLISH;
  const { sessionMs } = settings;
  const letters = createDeadLetterSink(bus, group, topic);
  return {
    encoder: new RecordEncoder(loadSchemas(join(PROJECT, 'schemas')), identity.lanes),
    consumer: await bus.consumer({ topic, group, owner, sessionMs }),
    decoder: publishDecoder(await recordDecoder(parts, settings)),
    transform: (lease) => bus.transform(PUBLISH_TRANSFORM, lease),
    deadLetter: (record, failure) => letters.put(record, failure),
    sessionMs,
    onBatch: watch.onBatch,
    onNotice: (text) => log.info({ stage: group }, text),
  };
}

/** Record by record, so that every row is known by the place of its block in the log. */
export function publishDecoder(decoder: ChunkDecoder): PublishDecoder {
  return {
    decode: async (record) => {
      const { outcomes, parts, release } = await decoder.decode([record]);
      const [outcome] = outcomes;
      if (!outcome) throw new RangeError(`${record.key}: the decoder said nothing of it`);
      return { failure: isFailure(outcome) ? outcome : null, parts, release };
    },
    close: () => decoder.close(),
  };
}
