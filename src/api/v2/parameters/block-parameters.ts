import { int32 } from '../../parameters/integer.ts';
import { optional, required } from '../../parameters/parameter.ts';
import { DECIMAL_SHARD } from '../../parameters/shard.ts';
import { HASH } from './forms.ts';

const SEQNO = int32({ sign: 'positive' });

/** The masterchain block whose state is used; absent: the newest. */
export const STATE_SEQNO = optional(SEQNO, 'masterchain block whose state is used; the newest if absent');

/** A masterchain block, only by its number. */
export const MASTERCHAIN_SEQNO = required(SEQNO, 'masterchain block');

export const WORKCHAIN = required(int32(), '-1 masterchain, 0 basechain');
export const SHARD_ID = required(DECIMAL_SHARD, 'shard as a signed 64-bit decimal');

/** Block id. The hashes count only if both are given. */
export const BLOCK_PARAMETERS = {
  workchain: WORKCHAIN,
  shard: SHARD_ID,
  seqno: required(SEQNO, 'block number'),
  root_hash: optional(HASH, 'with file_hash: the block must have these hashes'),
  file_hash: optional(HASH, 'with root_hash: the block must have these hashes'),
};
