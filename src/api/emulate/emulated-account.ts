import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { readShardAccount, type UnconfirmedAccount } from '../pending/unconfirmed-account.ts';

/** A state of an account, as the chain has it or as an emulated transaction leaves it. */
export interface EmulatedAccount extends UnconfirmedAccount {
  /** ShardAccount as a BoC in base64. */
  readonly text: string;
}

// account_none$0 = Account;
// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
const NONE = new CellBuilder().bit(false).cell();
const NO_SHARD_ACCOUNT = toBase64(
  writeBag(new CellBuilder().ref(NONE).bytes(new Uint8Array(32)).u64(0n).cell(), { index: false }),
);

/** Reads a ShardAccount in base64; null means an account that never existed. @throws BocError, CellError */
export function readEmulatedAccount(shardAccount: string | null): EmulatedAccount {
  const text = shardAccount ?? NO_SHARD_ACCOUNT;
  return { text, ...readShardAccount(text) };
}
