import pLimit from 'p-limit';
import { RAW_BLOCKS } from '../../../../pipelines/raw-blocks.ts';
import type { SealedBlocksPort } from '../../../api/sealed-blocks-port.ts';
import type { Bus } from '../../../log/port.ts';
import type { AvroCodec } from '../../../platform/avro/avro-codec.ts';

/** A log, and the codec of its records. */
interface SealedLog {
  readonly bus: Bus;
  readonly codec: AvroCodec;
}

/**
 * Blocks of sealed files, for answers. One read at a time: the thread of the log also appends, and renews leases. A log that
 * seals nothing has none.
 */
export function sealedBlocks({ bus, codec }: SealedLog): SealedBlocksPort {
  const inTurn = pLimit(1);
  const read: SealedBlocksPort['read'] = async (mcSeqno, keys) => {
    const records = await bus.readSealed(RAW_BLOCKS, { first: mcSeqno, last: mcSeqno, keys });
    const blocks = records.map(({ key, value }) => [key, codec.decode(value)] as const);
    // The first record of a block counts, as for consumers: it comes last here.
    return new Map(
      blocks
        .toReversed()
        .flatMap(([key, { kind, value }]) => (kind === 'raw-block' ? [[key, value.boc]] : [])),
    );
  };
  return { read: (mcSeqno, keys) => inTurn(() => read(mcSeqno, keys)) };
}
