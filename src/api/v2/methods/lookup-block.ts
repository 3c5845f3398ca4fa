import { type BlockQuery, findBlock } from '../../entities/blocks/find-one.ts';
import type { BlockRow } from '../../entities/blocks/model.ts';
import { shardHex } from '../../entities/blocks/shard-text.ts';
import { NotHeldError } from '../../http/errors/http-error.ts';
import { int32 } from '../../parameters/integer.ts';
import { optional } from '../../parameters/parameter.ts';
import type { ReadScope } from '../../query/scope.ts';
import { InvalidRequest } from '../errors.ts';
import { blockIdExt } from '../format/block-id.ts';
import { BLOCK_ID } from '../format/schemas.ts';
import { SHARD_ID, WORKCHAIN } from '../parameters/block-parameters.ts';
import { LOGICAL_TIME } from '../parameters/forms.ts';
import { defineMethod, requireScope } from './method.ts';

/** Key of a block look-up in addition to its shard: exactly one of the three. */
type Sought = { readonly seqno: number } | { readonly lt: bigint } | { readonly utime: number };

/** A block of a shard or of its relatives by its number, by lt or by time. */
export const lookupBlock = defineMethod({
  name: 'lookupBlock',
  group: 'blocks',
  reads: ['base'],
  summary: 'Block by seqno, lt or time',
  parameters: {
    workchain: WORKCHAIN,
    shard: SHARD_ID,
    seqno: optional(int32({ sign: 'positive' }), 'block number'),
    lt: optional(LOGICAL_TIME, 'the block with the smallest end_lt that is not below'),
    unixtime: optional(int32({ sign: 'non-negative' }), 'the first block generated at this time or later'),
  },
  result: BLOCK_ID,
  async answer(request, { workchain, shard, seqno, lt, unixtime }) {
    const sought = soughtBlock(seqno, lt, unixtime);
    const scope = requireScope(request);
    const query: BlockQuery = { workchain, shard, ...sought };
    const found = shard === 0n ? null : await findBlock(scope, query);
    if (!found || !isCertain(scope, found, sought)) {
      const [by, value] = Object.entries(sought)[0]!;
      throw new NotHeldError(`no block of (${workchain},${shardHex(shard)}) is indexed for ${by} ${value}`);
    }
    return blockIdExt(request.blockIdTag, found);
  },
});

/** @throws InvalidRequest unless exactly one is given */
function soughtBlock(seqno: number | undefined, lt: bigint | undefined, utime: number | undefined): Sought {
  const given: Sought[] = [];
  if (seqno !== undefined) given.push({ seqno });
  if (lt !== undefined) given.push({ lt });
  if (utime !== undefined) given.push({ utime });
  const [sought, ...others] = given;
  if (!sought || others.length > 0) {
    throw new InvalidRequest('exactly one of seqno, lt, unixtime should be specified');
  }
  return sought;
}

/**
 * If the index begins in mid-chain, its first blocks answer only for their own content: earlier times may belong to
 * blocks outside the index.
 */
function isCertain(scope: ReadScope, found: BlockRow, sought: Sought): boolean {
  if (found.mc_seqno > scope.visible.first || found.seqno === 1) return true;
  if ('lt' in sought) return sought.lt >= BigInt(found.start_lt);
  return !('utime' in sought) || sought.utime >= found.gen_utime;
}
