import type { LogIdentity, NewRecord, NewStep } from '../log/port.ts';
import type { AvroCodec } from '../platform/avro/avro-codec.ts';
import { toHex } from '../ton/hash/hex.ts';
import { type BlockIdExt, blockIdText, shardHex } from './block-id.ts';
import type { SourceBlock, SourceState } from './source.ts';

export const RAW_BLOCKS = 'raw-blocks';

/** Records of a step in the log. */
export interface LoggedStep {
  readonly mcSeqno: number;
  readonly states: readonly Pick<SourceState, 'id' | 'boc'>[];
  readonly blocks: readonly Pick<SourceBlock, 'id' | 'boc'>[];
}

/** A step as the log keeps it: its states, then its blocks, in the lane of its epoch. */
export function stepRecords(
  step: LoggedStep,
  { network, epochSize, lanes }: Pick<LogIdentity, 'network' | 'epochSize' | 'lanes'>,
  codec: AvroCodec,
): NewStep {
  const { mcSeqno, states, blocks } = step;
  const epoch = Math.floor(mcSeqno / epochSize);
  const record = (kind: 'block' | 'state', id: BlockIdExt, boc: Uint8Array): NewRecord => ({
    key: blockIdText(id),
    headers: recordHeaders(kind, id),
    value: codec.encode(kind === 'block' ? 'raw-block' : 'raw-state', {
      network,
      workchain: id.workchain,
      shard: BigInt.asIntN(64, id.shard),
      seqno: BigInt(id.seqno),
      root_hash: id.rootHash,
      file_hash: id.fileHash,
      mc_seqno: BigInt(mcSeqno),
      boc,
    }),
  });
  return {
    position: mcSeqno,
    epoch,
    lane: epoch % lanes,
    records: [
      ...states.map(({ id, boc }) => record('state', id, boc)),
      ...blocks.map(({ id, boc }) => record('block', id, boc)),
    ],
  };
}

/** Facts of a record that a reader needs without decoding its value. */
function recordHeaders(kind: 'block' | 'state', id: BlockIdExt): Record<string, string> {
  return {
    kind,
    workchain: String(id.workchain),
    shard: shardHex(id.shard),
    seqno: String(id.seqno),
    root_hash: toHex(id.rootHash),
    file_hash: toHex(id.fileHash),
  };
}
