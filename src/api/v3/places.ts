import { z } from 'zod';
import type { LedAuctions, NamePlace } from '../entities/contracts/filter.ts';
import type { ContractRow } from '../entities/contracts/model.ts';
import { accountOfRaw } from '../query/account-id.ts';
import type { PlaceForm } from '../query/cursor.ts';
import { I32, ID as KEY_ID, U32, U64 } from '../query/keyset.ts';
import type { ValidatorEventPlace } from '../staking/read-validator-events.ts';

const { shape: UINT32 } = U32;
const { shape: INT32 } = I32;
const { shape: UINT64 } = U64;
const { shape: ID } = KEY_ID;
/** A raw address. */
const RAW = z
  .string()
  .regex(/^(0|-?[1-9]\d{0,9}):[0-9A-F]{64}$/)
  .refine((text) => INT32.safeParse(Number(text.split(':')[0])).success);

const BASE64_HASH = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

/** Places of `/validators/events`: by time, ties by lt and hash. */
export const VALIDATOR_EVENT_PLACE: PlaceForm<ValidatorEventPlace> = {
  list: 'v',
  isResumable: false,
  shape: z.strictObject({ utime: UINT32, lt: UINT64, hash: BASE64_HASH }),
};

/** Places of `/validators/elections`. */
export const ELECTION_PLACE: PlaceForm<{ readonly id: number }> = {
  list: 'l',
  isResumable: false,
  shape: z.strictObject({ id: UINT32 }),
};

/** Places of `/validators/cycles`: the set, by its hash. */
export const CYCLE_PLACE: PlaceForm<{ readonly set: string }> = {
  list: 'y',
  isResumable: false,
  shape: z.strictObject({ set: BASE64_HASH }),
};

/** Places of `/validators/complaints`: by time, ties by hash. */
export const COMPLAINT_PLACE: PlaceForm<{ readonly at: number; readonly hash: string }> = {
  list: 'o',
  isResumable: false,
  shape: z.strictObject({ at: UINT32, hash: BASE64_HASH }),
};

/** The collections of names take 126 bytes at most, and a zone follows. */
const MAX_DOMAIN = 160;

/** Places of `/dns/records`, which is as of one moment. */
export const NAME_PLACE: PlaceForm<NamePlace> = {
  list: 'n',
  isResumable: false,
  shape: z.strictObject({ domain: z.string().max(MAX_DOMAIN), account: ID, workchain: INT32 }),
};

export function namePlace({ domain, address }: ContractRow): NamePlace {
  const { hash: account, workchain } = accountOfRaw(address);
  return { domain, account, workchain };
}

/** Places of `/dns/activeAuctions`: by end, ties by address. */
export const AUCTION_PLACE: PlaceForm<NonNullable<LedAuctions['after']>> = {
  list: 'au',
  isResumable: false,
  shape: z.strictObject({
    endTime: UINT64,
    address: RAW,
  }),
};

/** The place of an event of a nominator pool: its transaction, the pool (raw), its number among the events there. */
export interface PoolEventPlace {
  readonly utime: number;
  readonly lt: string;
  readonly pool: string;
  readonly at: number;
}

/** Places of the lists of events and rewards of nominator pools. */
export const POOL_EVENT_PLACE: PlaceForm<PoolEventPlace> = {
  list: 'p',
  isResumable: false,
  shape: z.strictObject({ utime: UINT32, lt: UINT64, pool: RAW, at: UINT32 }),
};
