import { PRUNED } from '../boc/cell-type.ts';
import { hashCellOf } from '../boc/virtual-cell.ts';
import type { BaseColumns } from '../columns/base-columns.ts';
import { toHex } from '../hash/hex.ts';
import type { Account } from '../tlb/account.ts';
import type { DepthBalanceInfo } from '../tlb/depth-balance-info.ts';
import type { MerkleUpdate } from '../tlb/merkle-update.ts';
import type { ShardAccount } from '../tlb/shard-account.ts';
import { forEachShardAccount } from '../tlb/shard-accounts.ts';
import { loadShardState } from '../tlb/shard-state.ts';
import type { ValueFlow } from '../tlb/value-flow.ts';
import {
  bareState,
  NO_PREVIOUS_STATE,
  type PreviousState,
  readAccount,
  type StateFields,
  type StateKey,
  stateFields,
  writeCellRow,
  writeStateRow,
} from './account-row.ts';
import { Contradiction } from './block-error.ts';
import type { BlockMeta } from './block-meta.ts';
import type { ChangedAccount } from './changed-account.ts';
import { CurrencyFinder } from './currency-finder.ts';
import type { OpenBlock } from './open-block.ts';
import { expectHash, sameBytes } from './same-bytes.ts';

/** `account_none$0`: the state of an account that does not exist is a cell of one 0 bit. */
const ACCOUNT_NONE_HASH = hashCellOf(Uint8Array.of(0), 1, []).hash;

/** An account as a side of the state update shows it. */
interface Leaf {
  readonly account: ShardAccount;
  readonly info: DepthBalanceInfo;
}

/**
 * Writes `account_states` and `account_cells` for every account that has transactions in the block, by address: its
 * state after the last one, preceded by the old side's state where that is below `oldStatesBelowLt`.
 */
export function writeAccountRows(
  columns: BaseColumns,
  meta: BlockMeta,
  open: OpenBlock,
  update: MerkleUpdate,
  flow: ValueFlow,
  accounts: readonly ChangedAccount[],
  oldStatesBelowLt: bigint,
): void {
  const wanted = new Set(accounts.map((account) => toHex(account.address)));
  const before = leavesOf(open, update.old, wanted);
  const after = leavesOf(open, update.new, wanted);
  const writer = new AccountWriter(columns, meta, open, new CurrencyFinder(open, flow));
  for (const account of accounts) {
    const name = toHex(account.address);
    const old = before.get(name) ?? null;
    writer.checkOld(account, old);
    if (old && old.account.lastTransLt < oldStatesBelowLt) writer.writeOld(account, old);
    const leaf = after.get(name) ?? null;
    const previous = previousOf(account, old, leaf?.info.balance.grams ?? 0n);
    if (leaf) writer.writeNew(account, leaf, previous);
    else writer.writeDeleted(account, previous);
  }
}

/**
 * The state that the block's replaces. Where the old side leaves it out, its lt is in the first transaction and its
 * balance is what the transactions leave when they are taken back: exact for all 1,062 accounts of the shared data
 * whose old balance is known.
 */
function previousOf(account: ChangedAccount, old: Leaf | null, balance: bigint): PreviousState {
  if (old) return { shown: true, lt: old.account.lastTransLt, balance: old.info.balance.grams };
  if (sameBytes(account.oldHash, ACCOUNT_NONE_HASH)) return NO_PREVIOUS_STATE;
  const before = balance + account.spent;
  return { shown: false, lt: account.prevLt, balance: before > 0n ? before : 0n };
}

/** The wanted accounts that one side of the update shows, by address in hex. */
function leavesOf(open: OpenBlock, side: number, wanted: ReadonlySet<string>): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  if (wanted.size === 0) return leaves;
  for (const state of loadShardState(open.boc, side)) {
    forEachShardAccount(open.boc, state.accounts, (address, account, info) => {
      const name = toHex(address);
      if (wanted.has(name)) leaves.set(name, { account, info });
    });
  }
  return leaves;
}

class AccountWriter {
  private readonly columns: BaseColumns;
  private readonly meta: BlockMeta;
  private readonly open: OpenBlock;
  private readonly currencies: CurrencyFinder;

  constructor(columns: BaseColumns, meta: BlockMeta, open: OpenBlock, currencies: CurrencyFinder) {
    this.currencies = currencies;
    this.columns = columns;
    this.meta = meta;
    this.open = open;
  }

  /**
   * The old side shows only what leads to cells that the new state still uses: an account that existed (most often an
   * uninit one, which has no cells below) may be pruned away, so its absence says nothing.
   */
  checkOld({ address, oldHash }: ChangedAccount, leaf: Leaf | null): void {
    if (!leaf) return;
    const found = this.open.hashes.hash(leaf.account.account, 0);
    expectHash('state', `state of ${toHex(address)} before the block`, oldHash, found);
  }

  writeOld(changed: ChangedAccount, { account: shardAccount, info }: Leaf): void {
    const { boc, hashes } = this.open;
    const cell = shardAccount.account;
    const key = this.key(changed, shardAccount.lastTransLt, shardAccount.lastTransHash, 'before');
    const { oldHash, origStatus } = changed;
    if (boc.type[cell] === PRUNED) {
      // Nothing of the old state was needed: the block gives its hash, status and balance, and no more.
      const bare = bareState(oldHash, origStatus, info.balance.grams);
      writeStateRow(
        this.columns,
        key,
        { ...bare, extra: this.currencies.of(info.balance) },
        NO_PREVIOUS_STATE,
      );
      return;
    }
    const account = readAccount(boc, cell);
    const state = account
      ? stateFields(hashes, cell, account, this.currencies.of(account.balance))
      : bareState(oldHash, 'nonexist', 0n);
    this.write(key, state, cell, NO_PREVIOUS_STATE);
  }

  writeNew(changed: ChangedAccount, { account: shardAccount, info }: Leaf, previous: PreviousState): void {
    const { boc, hashes } = this.open;
    const name = toHex(changed.address);
    const cell = shardAccount.account;
    expectHash('state', `state of ${name} after the block`, changed.newHash, hashes.hash(cell, 0));
    expectHash('state', `last transaction of ${name}`, changed.lastHash, shardAccount.lastTransHash);
    if (shardAccount.lastTransLt !== changed.lastLt) {
      const { lastTransLt } = shardAccount;
      throw new Contradiction(
        'state',
        `last lt of ${name}: expected ${changed.lastLt}, found ${lastTransLt}`,
      );
    }
    const key = this.key(changed, changed.lastLt, changed.lastHash, 'block');
    const account = readAccount(boc, cell);
    if (account) checkBalance(name, account, info);
    const state = account
      ? stateFields(hashes, cell, account, this.currencies.of(account.balance))
      : bareState(changed.newHash, 'nonexist', 0n);
    this.write(key, state, cell, previous);
  }

  writeDeleted(changed: ChangedAccount, previous: PreviousState): void {
    const name = toHex(changed.address);
    expectHash('state', `state of ${name}, which is not in the state`, changed.newHash, ACCOUNT_NONE_HASH);
    const key = this.key(changed, changed.lastLt, changed.lastHash, 'block');
    writeStateRow(this.columns, key, bareState(ACCOUNT_NONE_HASH, 'nonexist', 0n), previous);
  }

  private write(key: StateKey, state: StateFields, cell: number, previous: PreviousState): void {
    writeStateRow(this.columns, key, state, previous);
    writeCellRow(this.columns, key, state.hash, this.open.boc, cell);
  }

  private key(
    changed: ChangedAccount,
    lt: bigint,
    lastTransHash: Uint8Array,
    origin: StateKey['origin'],
  ): StateKey {
    const { mcSeqno, workchain } = this.meta;
    return { mcSeqno, workchain, address: changed.address, lt, lastTransHash, origin };
  }
}

function checkBalance(name: string, account: Account, info: DepthBalanceInfo): void {
  const { grams } = account.balance;
  if (grams === info.balance.grams) return;
  throw new Contradiction('state', `balance of ${name}: ${grams}, but ${info.balance.grams} at its leaf`);
}
