import { hashVirtualCell } from '../boc/virtual-cell.ts';
import type { BaseColumns } from '../columns/base-columns.ts';
import { toHex } from '../hash/hex.ts';
import type { DepthBalanceInfo } from '../tlb/account/depth-balance-info.ts';
import {
  bareState,
  NO_PREVIOUS_STATE,
  type PreviousState,
  type StateFields,
  type StateKey,
  writeCellRow,
  writeStateRow,
} from './account-row.ts';
import type { AccountSides, Leaf, NewSide, OldSide } from './account-sides.ts';
import { Contradiction } from './block-error.ts';
import type { BlockMeta } from './block-meta.ts';
import type { BlockRows } from './block-rows.ts';
import type { ChangedAccount } from './changed-account.ts';
import type { OpenBlock } from './open-block.ts';
import { expectHash, sameBytes } from './same-bytes.ts';

/** `account_none$0`: the state of an account that does not exist is a cell of one 0 bit. */
const ACCOUNT_NONE_HASH = hashVirtualCell(Uint8Array.of(0), 1, []).hash;

/**
 * Writes `account_states` and `account_cells` for every account with transactions in the block, by address. Each gets
 * its state after the last one. The old state comes first if it is below `oldStatesBelowLt`. `sides` belong to
 * `accounts`, in their order.
 */
export function writeAccountRows(
  rows: BlockRows,
  accounts: readonly ChangedAccount[],
  sides: readonly AccountSides[],
  oldStatesBelowLt: bigint,
): void {
  const writer = new AccountWriter(rows);
  for (const [index, account] of accounts.entries()) {
    const { before, after } = sides[index] as AccountSides;
    writer.checkOld(account, before);
    if (before && before.account.lastTransLt < oldStatesBelowLt) writer.writeOld(account, before);
    const previous = findPrevious(account, before, after?.info.balance.grams ?? 0n);
    if (after) writer.writeNew(account, after, previous);
    else writer.writeDeleted(account, previous);
  }
}

/**
 * Returns the state that the block's state replaces. If the old side omits it, its lt is in the first transaction, and
 * its balance follows from reversing the transactions. This is exact for all 1,062 accounts of the shared data whose
 * old balance is known.
 */
function findPrevious(account: ChangedAccount, old: Leaf | null, balance: bigint): PreviousState {
  if (old) return { shown: true, lt: old.account.lastTransLt, balance: old.info.balance.grams };
  if (sameBytes(account.oldHash, ACCOUNT_NONE_HASH)) return NO_PREVIOUS_STATE;
  const before = balance + account.spent;
  return { shown: false, lt: account.prevLt, balance: before > 0n ? before : 0n };
}

/** The last transaction before a state. */
type LastTransaction = Pick<OldSide['account'], 'lastTransLt' | 'lastTransHash'>;

class AccountWriter {
  private readonly columns: BaseColumns;
  private readonly meta: BlockMeta;
  private readonly open: OpenBlock;

  constructor({ columns, meta, open }: BlockRows) {
    this.columns = columns;
    this.meta = meta;
    this.open = open;
  }

  /**
   * The old side shows only paths to cells that the new state still uses. An existing account, usually an uninit one
   * without cells below, may be pruned. So its absence proves nothing.
   */
  checkOld({ address, oldHash }: ChangedAccount, leaf: Leaf | null): void {
    if (!leaf) return;
    const found = this.open.hashes.hash(leaf.account.account, 0);
    expectHash('state', `state of ${toHex(address)} before the block`, oldHash, found);
  }

  writeOld(changed: ChangedAccount, { account: shardAccount, info, state, extra }: OldSide): void {
    const key = this.key(changed, 'before', shardAccount);
    const { oldHash, origStatus } = changed;
    if (!state) {
      // Nothing of the old state was needed: the block gives its hash, status and balance, and no more.
      const bare = bareState(oldHash, origStatus, info.balance.grams);
      writeStateRow(this.columns, key, { ...bare, extra }, NO_PREVIOUS_STATE);
      return;
    }
    this.write(key, state.fields, shardAccount.account, NO_PREVIOUS_STATE);
  }

  writeNew(changed: ChangedAccount, after: NewSide, previous: PreviousState): void {
    const { account: shardAccount, info, state } = after;
    const name = toHex(changed.address);
    expectHash('state', `state of ${name} after the block`, changed.newHash, state.fields.hash);
    expectHash('state', `last transaction of ${name}`, changed.lastHash, shardAccount.lastTransHash);
    if (shardAccount.lastTransLt !== changed.lastLt) {
      const { lastTransLt } = shardAccount;
      throw new Contradiction(
        'state',
        `last lt of ${name}: expected ${changed.lastLt}, found ${lastTransLt}`,
      );
    }
    const key = this.key(changed, 'block');
    checkBalance(name, state.fields, info);
    this.write(key, state.fields, shardAccount.account, previous);
  }

  writeDeleted(changed: ChangedAccount, previous: PreviousState): void {
    const name = toHex(changed.address);
    expectHash('state', `state of ${name}, which is not in the state`, changed.newHash, ACCOUNT_NONE_HASH);
    const key = this.key(changed, 'block');
    writeStateRow(this.columns, key, bareState(ACCOUNT_NONE_HASH, 'nonexist', 0n), previous);
  }

  private write(key: StateKey, state: StateFields, cell: number, previous: PreviousState): void {
    writeStateRow(this.columns, key, state, previous);
    writeCellRow(this.columns, key, this.open.hashes, cell);
  }

  /** `last`: the last transaction before the state. Default: the last one of the block. */
  private key(
    { address, lastLt, lastHash, lastNow }: ChangedAccount,
    origin: StateKey['origin'],
    last?: LastTransaction,
  ): StateKey {
    const { mcSeqno, workchain } = this.meta;
    const place = { mcSeqno, workchain, address, origin };
    return last
      ? { ...place, lt: last.lastTransLt, now: 0, lastTransHash: last.lastTransHash }
      : { ...place, lt: lastLt, now: lastNow, lastTransHash: lastHash };
  }
}

function checkBalance(name: string, { status, balance }: StateFields, info: DepthBalanceInfo): void {
  const { grams } = info.balance;
  if (status === 'nonexist' || balance === grams) return;
  throw new Contradiction('state', `balance of ${name}: ${balance}, but ${grams} at its leaf`);
}
