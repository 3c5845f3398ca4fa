import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { AvroDecodeError, UnknownSchemaIdError } from '../../platform/avro/avro-errors.ts';
import type { LogRecord } from '../../platform/bus/port.ts';
import type { BaseColumns } from '../../ton/columns/base-columns.ts';
import { BlockError, type decodeBlock, type VerifyLevel } from '../../ton/decode/decode-block.ts';
import { decodeState } from '../../ton/decode/decode-state.ts';
import type { StartLts } from '../../ton/decode/start-lts.ts';
import type { BatchCounts } from './batch-builder.ts';
import type { Failure } from './dead-letters.ts';

/**
 * Turns one record of `raw-blocks` into rows: bytes in, columns out. Returns null, or why it could not, in which
 * case the columns are as they were. An error that is not the record's fault is thrown.
 */
export type DecodeRecord = (record: LogRecord, columns: BaseColumns, counts: BatchCounts) => Failure | null;

export interface RecordDecoderOptions {
  /** The kernel's, or the reader's: both write the same bytes. */
  readonly decodeBlock: typeof decodeBlock;
  readonly verify: VerifyLevel;
  readonly starts: StartLts;
}

/** A decoder of `raw-block` and `raw-state` records (schemas/) of one network. */
export function createRecordDecoder(
  codec: AvroCodec,
  network: string,
  options: RecordDecoderOptions,
): DecodeRecord {
  return (record, columns, counts) => {
    try {
      const { kind, value } = codec.decode(record.value);
      if (value.network !== network)
        return {
          code: 'foreign-network',
          message: `${record.key} is of network ${value.network}, not ${network}`,
        };
      if (kind === 'raw-state') {
        decodeState(value.boc, Number(value.mc_seqno), columns);
        return null;
      }
      const meta = {
        workchain: value.workchain,
        shard: BigInt.asUintN(64, value.shard),
        seqno: Number(value.seqno),
        rootHash: value.root_hash,
        fileHash: value.file_hash,
        mcSeqno: Number(value.mc_seqno),
      };
      const oldStatesBelowLt = options.starts.below(meta.workchain, meta.shard);
      const made = options.decodeBlock(value.boc, meta, columns, {
        verify: options.verify,
        oldStatesBelowLt,
      });
      counts.blocks++;
      counts.transactions += made.transactions;
      counts.messages += made.messages;
      return null;
    } catch (error) {
      return failureOf(error);
    }
  };
}

function failureOf(error: unknown): Failure {
  if (error instanceof BlockError) return { code: error.code, message: error.message };
  if (error instanceof AvroDecodeError || error instanceof UnknownSchemaIdError)
    return { code: 'avro', message: error.message };
  throw error;
}
