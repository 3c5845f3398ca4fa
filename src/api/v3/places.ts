import { z } from 'zod';
import type { BlockRow } from '../read/block-row.ts';
import type { BlockPlace } from '../read/plan-blocks.ts';
import type { TransactionPlace } from '../read/transaction-filter.ts';
import type { TransactionRow } from '../read/transaction-row.ts';
import type { PlaceForm } from './cursor.ts';

const MOST_UINT32 = 0xffff_ffff;
const INT32 = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
const UINT32 = z.int().min(0).max(MOST_UINT32);
const MOST_UINT64 = 2n ** 64n - 1n;
const UINT64 = z
  .string()
  .regex(/^\d{1,20}$/)
  .refine((text) => BigInt(text) <= MOST_UINT64);

/** Places of `/transactions`. */
export const TRANSACTION_PLACE: PlaceForm<TransactionPlace> = {
  list: 't',
  shape: z.strictObject({
    now: UINT32,
    lt: UINT64,
    workchain: INT32,
    account: z.string().regex(/^[0-9A-F]{64}$/),
  }),
};

export function transactionPlace({ now, lt, workchain, account }: TransactionRow): TransactionPlace {
  return { now, lt, workchain, account };
}

/** Places of `/blocks`. */
export const BLOCK_PLACE: PlaceForm<BlockPlace> = {
  list: 'b',
  shape: z.strictObject({ gen_utime: UINT32, workchain: INT32, shard: UINT64, seqno: UINT32 }),
};

export function blockPlace({ gen_utime, workchain, shard, seqno }: BlockRow): BlockPlace {
  return { gen_utime, workchain, shard, seqno };
}
