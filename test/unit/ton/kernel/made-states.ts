import { type Builder, beginCell, type Cell } from '@ton/core';
import { ValueMaker } from './made-values.ts';

const ACCOUNT_NONE = beginCell().storeBit(0).endCell();
const NONE_HASH = ACCOUNT_NONE.hash();

/** A state of an account, and what the state update shows of it: null, or the leaf's cell and balance. */
interface MadeState {
  /** Level-0 hash of the Account cell. */
  readonly hash: Buffer;
  readonly shown: { readonly cell: Cell; readonly grams: bigint; readonly currencies: Cell | null } | null;
}

const GONE: MadeState = { hash: NONE_HASH, shown: null };

/** The account of a block, before and after its transactions. `currencies`: the possible ones of both states. */
export interface MadeAccount {
  readonly address: Buffer;
  readonly before: MadeState;
  readonly after: MadeState;
  readonly currencies: Cell | null;
  readonly hasStates: boolean;
}

/** Writes random accounts, and the state updates that show them. */
export class StateMaker extends ValueMaker {
  protected account(): MadeAccount {
    const currencies = this.currencyDict();
    const before = this.random.oneIn(4) ? this.hidden() : this.state(currencies, this.random.oneIn(6));
    const after = this.random.oneIn(4) ? GONE : this.state(currencies, false);
    return { address: this.hash(), before, after, currencies, hasStates: true };
  }

  /** Neither side shows it. */
  protected accountThatGoes(): MadeAccount {
    return { address: this.hash(), before: this.hidden(), after: GONE, currencies: null, hasStates: false };
  }

  private hidden(): MadeState {
    return { hash: this.random.oneIn(4) ? NONE_HASH : this.hash(), shown: null };
  }

  /** The MERKLE_UPDATE that shows the account's states; a side that does not is pruned or empty. */
  protected stateUpdate({ address, before, after }: MadeAccount, lastHash: Buffer, lastLt: bigint): Cell {
    const sides = [this.side(address, before, this.hash(), 5n), this.side(address, after, lastHash, lastLt)];
    const builder = beginCell().storeUint(4, 8);
    for (const side of sides) builder.storeBuffer(side.hash(0));
    for (const side of sides) builder.storeUint(side.depth(0), 16);
    for (const side of sides) builder.storeRef(side);
    return builder.endCell({ exotic: true });
  }

  private state(currencies: Cell | null, isPruned: boolean): MadeState {
    const grams = BigInt(this.random.below(2 ** 30)) << BigInt(8 * this.random.below(10));
    const extra = this.random.oneIn(3) ? this.currencyDict() : currencies;
    const shownExtra = extra && this.chance() ? this.prunedCell(extra) : extra;
    const cell = this.random.oneIn(8)
      ? ACCOUNT_NONE
      : this.fitting(() => this.accountCell(grams, shownExtra));
    const shown = { cell: isPruned ? this.prunedCell(cell) : cell, grams, currencies: shownExtra };
    return { hash: cell.hash(0), shown };
  }

  private prunedCell(cell: Cell): Cell {
    return this.pruned(cell.hash(0), cell.depth(0));
  }

  /** account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account; */
  private accountCell(grams: bigint, extra: Cell | null): Cell {
    const builder = beginCell().storeBit(1);
    this.internalAddress(builder);
    this.varUint(this.varUint(builder, 3, 7), 3, 7);
    if (this.chance()) builder.storeUint(0, 3);
    else this.bits(builder.storeUint(1, 3), 256);
    this.bits(builder, 32);
    this.maybe(builder, () => this.coins(builder));
    this.bits(builder, 64).storeCoins(grams).storeMaybeRef(extra);
    const kind = this.random.below(4);
    if (kind === 0) builder.storeUint(0b00, 2);
    else if (kind === 1) this.bits(builder.storeUint(0b01, 2), 256);
    else this.activeState(builder.storeBit(1));
    return builder.endCell();
  }

  /** StateInit whose code, data and libraries may be pruned. */
  private activeState(builder: Builder): void {
    this.maybe(builder, () => this.bits(builder, 5));
    this.maybe(builder, () => this.bits(builder, 2));
    for (let i = 0; i < 3; i++) {
      this.maybe(builder, () => {
        const cell = this.tree(2);
        builder.storeRef(this.chance() ? this.prunedCell(cell) : cell);
      });
    }
  }

  private side(address: Buffer, { shown }: MadeState, lastHash: Buffer, lastLt: bigint): Cell {
    if (!shown && this.chance()) return this.pruned(this.hash(), 3);
    const accounts = beginCell();
    if (shown) {
      const leaf = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeBuffer(address);
      leaf.storeUint(0, 5).storeCoins(shown.grams).storeMaybeRef(shown.currencies);
      accounts.storeMaybeRef(leaf.storeRef(shown.cell).storeBuffer(lastHash).storeUint(lastLt, 64).endCell());
    } else {
      accounts.storeBit(0);
    }
    this.currencies(accounts.storeUint(0, 5));
    // shard_state#9023afe2 with queue and totals pruned.
    const state = beginCell().storeUint(0x9023afe2, 32).storeInt(-239, 32);
    state.storeUint(0, 8).storeInt(0, 32).storeUint(0, 64);
    this.bits(state, 32 + 32 + 32 + 64 + 32)
      .storeRef(this.pruned(this.hash(), 1))
      .storeBit(0);
    return state.storeRef(accounts.endCell()).storeRef(this.pruned(this.hash(), 1)).storeBit(0).endCell();
  }
}
