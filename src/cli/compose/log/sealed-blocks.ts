import pLimit from 'p-limit';
import { RAW_BLOCKS } from '../../../../pipelines/raw-blocks.ts';
import type { SealedBlocksPort } from '../../../api/sealed-blocks-port.ts';
import type { Bus } from '../../../log/port.ts';
import type { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import { UnavailableError } from '../../../platform/errors/error-kinds.ts';

/** A log, and the codec of its records. */
interface SealedLog {
  readonly bus: Bus;
  readonly codec: AvroCodec;
}

/** The sealed file of a block is in a bucket that does not answer. */
export class SealedBlocksAwayError extends UnavailableError {
  constructor(waitMs: number) {
    super(
      `sealed blocks could not be read within ${waitMs} ms: their files are in a bucket that does not answer`,
    );
  }
}

/** Reads at once: the thread of the log also appends, and renews leases. */
const MAX_READS = 4;
/** An answer does not wait longer for a bucket. */
const WAIT_MS = 10_000;

/**
 * Blocks of sealed files, for answers; a read rejects with `SealedBlocksAwayError` after `waitMs`. A log that seals nothing has
 * none.
 */
export function sealedBlocks({ bus, codec }: SealedLog, waitMs: number = WAIT_MS): SealedBlocksPort {
  const inTurn = pLimit(MAX_READS);
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
  return {
    read: (mcSeqno, keys) =>
      withLimit(waitMs, (isLate) => inTurn(() => (isLate() ? NONE : read(mcSeqno, keys)))),
  };
}

const NONE: ReadonlyMap<string, Uint8Array> = new Map();

/** Rejects if work takes too long. `isLate`: tells work that has not begun that nobody waits for it. */
async function withLimit<T>(ms: number, work: (isLate: () => boolean) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new SealedBlocksAwayError(ms));
  }, ms);
  try {
    return await Promise.race([work(() => isLate), late]);
  } finally {
    clearTimeout(timer);
  }
}
