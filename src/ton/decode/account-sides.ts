import type { CurrencyEntries } from '../../tables/column-type.ts';
import type { Boc } from '../boc/boc.ts';
import { PRUNED } from '../boc/cell-type.ts';
import { type PackedStates, packStates } from '../columns/state-pack.ts';
import { toHex } from '../hash/hex.ts';
import type { DepthBalanceInfo } from '../tlb/account/depth-balance-info.ts';
import type { ShardAccount } from '../tlb/account/shard-account.ts';
import { forEachShardAccount } from '../tlb/account/shard-accounts.ts';
import type { AccountBlock } from '../tlb/block/account-block.ts';
import { loadShardState } from '../tlb/block/shard-state.ts';
import type { ValueFlow } from '../tlb/block/value-flow.ts';
import { NO_CURRENCIES } from '../tlb/extra-currency-collection.ts';
import type { MerkleUpdate } from '../tlb/merkle-update.ts';
import { bareState, packedState, readAccount, type StateFields, stateFields } from './account-row.ts';
import { CurrencyFinder } from './currency-finder.ts';
import type { OpenBlock } from './open-block.ts';

/** An account as a side of the state update shows it. */
export interface Leaf {
  readonly account: ShardAccount;
  readonly info: DepthBalanceInfo;
}

/** The state of a leaf. */
export interface LeafState {
  readonly fields: StateFields;
  /**
   * True if the block contains everything of it. Its extra currencies may be pruned and absent elsewhere in the block.
   */
  readonly isComplete: boolean;
}

/**
 * One side of a changed account. If the Account cell is pruned, `state` is null and only the leaf's balance is known.
 */
export interface OldSide extends Leaf {
  readonly state: LeafState | null;
  readonly extra: CurrencyEntries;
}

export interface NewSide extends Leaf {
  readonly state: LeafState;
}

/** An account of the block on both sides of the state update; null if a side does not show it. */
export interface AccountSides {
  readonly before: OldSide | null;
  readonly after: NewSide | null;
}

/**
 * Finds the accounts that have transactions in both sides of the state update, and reads their states; in the order of
 * `blocks`. @throws CellError
 */
export function readAccountSides(
  open: OpenBlock,
  update: MerkleUpdate,
  flow: ValueFlow,
  blocks: readonly AccountBlock[],
): AccountSides[] {
  const names = blocks.map((block) => toHex(block.accountAddr));
  const wanted = new Set(names);
  const old = findLeaves(open.boc, update.old, wanted);
  const now = findLeaves(open.boc, update.new, wanted);
  const states = new StateReader(open, new CurrencyFinder(open, flow));
  return names.map((name) => {
    const before = old.get(name);
    const after = now.get(name);
    return {
      before: before ? states.readOld(before) : null,
      after: after ? { ...after, state: states.read(after.account.account) } : null,
    };
  });
}

/** The wanted accounts that one side of the update shows, by address in hex. */
function findLeaves(boc: Boc, side: number, wanted: ReadonlySet<string>): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  if (wanted.size === 0) return leaves;
  for (const state of loadShardState(boc, side)) {
    forEachShardAccount(boc, state.accounts, (address, account, info) => {
      const name = toHex(address);
      if (wanted.has(name)) leaves.set(name, { account, info });
    });
  }
  return leaves;
}

class StateReader {
  private readonly open: OpenBlock;
  private readonly currencies: CurrencyFinder;

  constructor(open: OpenBlock, currencies: CurrencyFinder) {
    this.open = open;
    this.currencies = currencies;
  }

  readOld(leaf: Leaf): OldSide {
    const cell = leaf.account.account;
    if (this.open.boc.type[cell] === PRUNED) {
      return { ...leaf, state: null, extra: this.currencies.of(leaf.info.balance) };
    }
    const state = this.read(cell);
    return { ...leaf, state, extra: state.fields.extra };
  }

  read(cell: number): LeafState {
    const { boc, hashes } = this.open;
    const account = readAccount(boc, cell);
    if (!account) return { fields: bareState(hashes.hash(cell, 0), 'nonexist', 0n), isComplete: true };
    const extra = this.currencies.find(account.balance);
    return { fields: stateFields(hashes, cell, account, extra ?? NO_CURRENCIES), isComplete: extra !== null };
  }
}

/**
 * Returns the column `states` of an account's transactions, in their order. The first has the state before it, the last
 * the state after it. An incomplete state before is omitted, since an earlier block may have more. The state after
 * equals the row of `account_states`.
 */
export function packAccountStates({ before, after }: AccountSides, transactions: number): Uint8Array[] {
  const states: PackedStates = {
    before: before?.state?.isComplete ? packedState(before.state.fields) : null,
    after: after ? packedState(after.state.fields) : null,
  };
  return Array.from({ length: transactions }, (_, index) =>
    packStates({
      before: index === 0 ? states.before : null,
      after: index === transactions - 1 ? states.after : null,
    }),
  );
}
