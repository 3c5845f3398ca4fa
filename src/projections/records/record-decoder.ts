import type { ChunkRecord, DecodeRecords, RecordOutcome } from '../../engine/decoding/chunk.ts';
import { DecoderStoppedError } from '../../engine/decoding/decoder-stopped-error.ts';
import type { Failure } from '../../engine/decoding/failure.ts';
import { AvroDecodeError, UnknownSchemaIdError } from '../../platform/avro/avro-errors.ts';
import type { ViewCodec } from '../../platform/avro/view-codec.ts';
import { BaseColumns } from '../../ton/columns/base-columns.ts';
import type { BlockMeta } from '../../ton/decode/block-meta.ts';
import { BlockError, type VerifyLevel } from '../../ton/decode/decode-block.ts';
import { decodeState } from '../../ton/decode/decode-state.ts';
import type { StartLts } from '../../ton/decode/start-lts.ts';
import type { Kernel } from '../../ton/kernel/kernel.ts';
import { type NativeParts, partsOfColumns } from '../../ton/kernel/native-parts.ts';

export interface RecordDecoderOptions {
  readonly codec: ViewCodec;
  /** Label of the network; records of another are refused. */
  readonly network: string;
  readonly verify: VerifyLevel;
  readonly starts: StartLts;
  readonly indexedFromLt: bigint;
}

/** A state, which the kernel does not decode. */
const NO_BLOCK = { blocks: 0, transactions: 0, messages: 0 };

/** A decoder of `raw-block` and `raw-state` records (schemas/) of one network. Throws `DecoderStoppedError`. */
export function createRecordDecoder(kernel: Kernel, options: RecordDecoderOptions): DecodeRecords {
  return (records, spare) => {
    if (kernel.isStopped) kernel.restart();
    const rows = new RowsInOrder(kernel);
    const outcomes = records.map((record) => {
      try {
        return decodeRecord(record, rows, options);
      } catch (error) {
        if (kernel.isStopped) throw new DecoderStoppedError(record.key, error as Error);
        return toFailure(error);
      }
    });
    return { outcomes, parts: rows.take(spare) };
  };
}

function decodeRecord(
  record: ChunkRecord,
  rows: RowsInOrder,
  { codec, network, verify, starts, indexedFromLt }: RecordDecoderOptions,
): RecordOutcome {
  const { kind, value } = codec.decode(record.value);
  if (value.network !== network)
    return {
      code: 'foreign-network',
      message: `${record.key} is of network ${value.network}, not ${network}`,
    };
  if (kind === 'raw-state') {
    decodeState(value.boc, Number(value.mc_seqno), rows.columns());
    return NO_BLOCK;
  }
  const meta: BlockMeta = {
    workchain: value.workchain,
    shard: BigInt.asUintN(64, value.shard),
    seqno: Number(value.seqno),
    rootHash: value.root_hash,
    fileHash: value.file_hash,
    mcSeqno: Number(value.mc_seqno),
    indexedFromLt,
  };
  const oldStatesBelowLt = starts.below(meta.workchain, meta.shard);
  const { isStored = false } = record;
  return { blocks: 1, ...rows.kernel.add(value.boc, meta, { verify, oldStatesBelowLt, isStored }) };
}

function toFailure(error: unknown): Failure {
  if (error instanceof BlockError) return { code: error.code, message: error.message };
  if (error instanceof AvroDecodeError || error instanceof UnknownSchemaIdError)
    return { code: 'avro', message: error.message };
  throw error;
}

/** The rows of a chunk: in the kernel, and from the first state on in columns too, so that their order stays. */
class RowsInOrder {
  readonly kernel: Kernel;
  #columns: BaseColumns | null = null;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    kernel.discard();
  }

  /** For rows that the kernel does not write; its own are moved there first. */
  columns(): BaseColumns {
    this.#columns ??= new BaseColumns();
    this.kernel.drainInto(this.#columns);
    return this.#columns;
  }

  take(spare: ArrayBuffer | null): NativeParts {
    return this.#columns ? partsOfColumns(this.columns(), spare) : this.kernel.takeParts(spare);
  }
}
