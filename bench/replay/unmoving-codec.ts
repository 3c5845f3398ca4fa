import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import type { NewestDatum } from '../../src/platform/avro/generated.ts';
import type { SchemaSet } from '../../src/platform/avro/schema-files.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';

/**
 * Envelopes of synthetic blocks under their real names: stored rows were moved, the block's bytes were not, and the
 * decoder compares the two.
 */
export class UnmovingCodec extends AvroCodec {
  readonly #plan: ChainPlan;

  constructor(schemas: SchemaSet, plan: ChainPlan) {
    super(schemas);
    this.#plan = plan;
  }

  override encode<Kind extends keyof NewestDatum>(
    kind: Kind,
    value: NewestDatum[Kind],
  ): Uint8Array<ArrayBuffer> {
    if (kind !== 'raw-block') return super.encode(kind, value);
    const block = value as NewestDatum['raw-block'];
    const planned = this.#plan
      .step(Number(block.mc_seqno))
      .find(({ real }) => real.header.workchain === block.workchain);
    if (!planned) return super.encode(kind, value);
    const { shard, seqno, rootHash, fileHash } = planned.real.header;
    const real = {
      ...block,
      shard: BigInt.asIntN(64, shard),
      seqno: BigInt(seqno),
      root_hash: rootHash,
      file_hash: fileHash,
    };
    return super.encode(kind, real as NewestDatum[Kind]);
  }
}
