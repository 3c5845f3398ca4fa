import { blockIdText } from '../../src/capture/block-id.ts';
import type { LogWriter, NewRecord, NewStep } from '../../src/log/port.ts';
import type { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { toHex } from '../../src/ton/hash/hex.ts';
import type { Stopwatch } from '../common/stopwatch.ts';
import type { ChainPlan, PlannedBlock } from './chain-plan.ts';

/** Size of one append, bytes, as in capture. */
const APPEND_BYTES = 8_000_000;

/** Appends the whole chain to the log: the bytes of real blocks, in envelopes and under keys of the synthetic chain. */
export async function feedLog(
  plan: ChainPlan,
  writer: LogWriter,
  codec: AvroCodec,
  times: Stopwatch,
): Promise<void> {
  let steps: NewStep[] = [];
  let bytes = 0;
  for (let mcSeqno = 1; mcSeqno <= plan.steps; mcSeqno++) {
    const step = times.measure('log envelope (Avro)', () => buildStep(plan, mcSeqno, codec));
    steps.push(step);
    bytes += step.records.reduce((sum, { value }) => sum + value.length, 0);
    if (bytes < APPEND_BYTES && mcSeqno < plan.steps) continue;
    const batch = steps;
    await times.wait('log append', () => writer.append(batch));
    steps = [];
    bytes = 0;
  }
}

function buildStep(plan: ChainPlan, mcSeqno: number, codec: AvroCodec): NewStep {
  const { epochSize, lanes, network } = plan.identity;
  const epoch = Math.floor(mcSeqno / epochSize);
  return {
    position: mcSeqno,
    epoch,
    lane: epoch % lanes,
    records: plan.step(mcSeqno).map((block) => buildRecord(block, network, codec)),
  };
}

/** The key and headers are the synthetic block's, so that copies are not taken for duplicates. */
function buildRecord(
  { real, mcSeqno, seqnoShift, copy }: PlannedBlock,
  network: string,
  codec: AvroCodec,
): NewRecord {
  const { workchain, shard, seqno, rootHash, fileHash } = real.header;
  const moved = { workchain, shard, seqno: seqno + seqnoShift };
  return {
    key: blockIdText(moved),
    headers: {
      kind: 'block',
      workchain: String(workchain),
      shard: shard.toString(16).padStart(16, '0'),
      seqno: String(moved.seqno),
      root_hash: `${toHex(rootHash)}/${copy}`,
      file_hash: toHex(fileHash),
    },
    value: codec.encode('raw-block', {
      network,
      workchain,
      shard: BigInt.asIntN(64, shard),
      seqno: BigInt(seqno),
      root_hash: rootHash,
      file_hash: fileHash,
      mc_seqno: BigInt(mcSeqno),
      boc: real.boc,
    }),
  };
}
