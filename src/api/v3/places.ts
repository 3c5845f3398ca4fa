import { z } from 'zod';
import type { CustodyKind } from '../../ton/contracts/custody/custody-state.ts';
import type { CustodyRow } from '../entities/contracts/custody-row.ts';
import type { ContractRow } from '../entities/contracts/model.ts';
import type { LedAuctions, NamePlace } from '../entities/contracts/plan.ts';
import type { CustodyPlace } from '../entities/contracts/plan-custody.ts';
import type { TokenKind } from '../entities/tokens/model.ts';
import type { TokenPlace } from '../entities/tokens/order.ts';
import type { TransferKind, TransferRow } from '../entities/transfers/model.ts';
import type { TransferPlace } from '../entities/transfers/plan.ts';
import { accountOfRaw } from '../query/account-id.ts';
import type { PlaceForm } from '../query/cursor.ts';
import type { ValidatorEventPlace } from '../staking/read-validator-events.ts';

const MAX_UINT32 = 0xffff_ffff;
const INT32 = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
const UINT32 = z.int().min(0).max(MAX_UINT32);
const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;
const UINT64 = z
  .string()
  .regex(/^\d{1,20}$/)
  .refine((text) => BigInt(text) <= MAX_UINT64);

const ID = z.string().regex(/^[0-9A-F]{64}$/);
/** A raw address. */
const RAW = z
  .string()
  .regex(/^(0|-?[1-9]\d{0,9}):[0-9A-F]{64}$/)
  .refine((text) => INT32.safeParse(Number(text.split(':')[0])).success);

const TRANSFER = z.strictObject({ lt: UINT64, account: ID, workchain: INT32 });

/** Places of lists of transfers. */
export const TRANSFER_PLACES: Readonly<Record<TransferKind, PlaceForm<TransferPlace>>> = {
  jetton_transfer: { list: 'jt', isResumable: true, shape: TRANSFER },
  jetton_burn: { list: 'jb', isResumable: true, shape: TRANSFER },
  nft_transfer: { list: 'nt', isResumable: true, shape: TRANSFER },
};

export function transferPlace({ lt, address }: TransferRow): TransferPlace {
  const { hash, workchain } = accountOfRaw(address);
  return { lt, account: hash, workchain };
}

const UINT256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .refine((text) => BigInt(text) <= MAX_UINT256);
const TOKEN = z.strictObject({
  since: UINT32,
  lt: UINT64,
  amount: UINT256,
  parent: ID,
  account: ID,
  workchain: INT32,
});

/** Places of lists of token contracts, which are as of one moment. */
export const TOKEN_PLACES: Readonly<Record<TokenKind, PlaceForm<TokenPlace>>> = {
  jetton_master: { list: 'jm', isResumable: false, shape: TOKEN },
  jetton_wallet: { list: 'jw', isResumable: false, shape: TOKEN },
  nft_collection: { list: 'nc', isResumable: false, shape: TOKEN },
  nft_item: { list: 'ni', isResumable: false, shape: TOKEN },
};

/** The same for lists ordered by owner first. */
export const OWNED_TOKEN_PLACES = {
  jetton_wallet: { list: 'jo', isResumable: false, shape: byOwner() },
  nft_item: { list: 'no', isResumable: false, shape: byOwner() },
} as const satisfies Partial<Record<TokenKind, PlaceForm<TokenPlace>>>;

function byOwner() {
  const { account, workchain, ...keys } = TOKEN.shape;
  return z.strictObject({ ...keys, owner: ID, account, workchain });
}

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

const CUSTODY = z.strictObject({ lt: UINT64, account: ID, workchain: INT32 });

/** Places of multisigs, their orders and vesting contracts, which are as of one moment. */
export const CUSTODY_PLACES = {
  multisig: { list: 'w', isResumable: false, shape: CUSTODY },
  multisig_order: { list: 'wo', isResumable: false, shape: CUSTODY },
  vesting: { list: 've', isResumable: false, shape: CUSTODY },
} as const satisfies Partial<Record<CustodyKind, PlaceForm<CustodyPlace>>>;

export function custodyPlace({ lt, address }: Pick<CustodyRow<CustodyKind>, 'lt' | 'address'>): CustodyPlace {
  const { hash: account, workchain } = accountOfRaw(address);
  return { lt, account, workchain };
}

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
