import { TOKEN_TYPES } from '../../tables/token-states.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { TOKEN_KINDS } from '../../ton/contracts/token-state.ts';
import { type AccountAddress, ZERO_ADDRESS } from '../../ton/store/store-address.ts';
import { isSameAccount, type TokenRow } from './token-row.ts';

const ZEROS = new Uint8Array(32);

/** The rows of `token_states` of one batch of a partition. */
export class TokenTable {
  readonly builder = new TableBuilder('token_states', TOKEN_TYPES);
  readonly #part: number;

  constructor(part: number) {
    this.#part = part;
  }

  /** Adds a row. `before`: the row of the same token before it. `now`: time of its last transaction, Unix seconds; 0 if unknown. */
  add(row: TokenRow, before: TokenRow | undefined, now: number): void {
    const { col } = this.builder;
    const replaced = before && !before.isGone ? before : null;
    const isFirst = !row.isGone && !(replaced && isSamePlace(row, replaced));
    const isOwnerNew = !row.isGone && (isFirst || !isSameAccount(row.owner, replaced?.owner ?? null));
    col.mc_seqno.push(row.position);
    col.part.push(this.#part);
    col.workchain.push(row.account.workchain);
    col.account.push(row.account.address);
    col.lt.push(row.lt);
    col.now.push(now);
    col.kind.push(TOKEN_KINDS.indexOf(row.kind));
    col.is_gone.push(row.isGone);
    col.is_first.push(isFirst);
    col.is_owner_new.push(isOwnerNew);
    col.since.push(row.since);
    col.code_hash.push(row.codeHash);
    col.data_hash.push(row.dataHash);
    col.amount.push(BigInt.asUintN(256, row.amount));
    col.flag.push(row.flag);
    this.#addParties(row);
    col.child_code.push(row.childCode);
    col.content_hash.push(row.content?.hash ?? ZEROS);
    col.content.push(Buffer.from(row.content?.json ?? ''));
    col.link.push(Buffer.from(row.link));
    this.#addReplaced(replaced);
    this.builder.endRow();
  }

  #addParties({ owner, parent }: TokenRow): void {
    const { col } = this.builder;
    col.has_owner.push(owner !== null);
    pushAddress(col.owner_workchain, col.owner, owner);
    col.has_parent.push(parent !== null);
    pushAddress(col.parent_workchain, col.parent, parent);
  }

  #addReplaced(row: TokenRow | null): void {
    const { col } = this.builder;
    col.had.push(row !== null);
    col.had_amount.push(BigInt.asUintN(256, row?.amount ?? 0n));
    pushAddress(col.had_parent_workchain, col.had_parent, row?.parent ?? null);
    col.had_child_code.push(row?.childCode ?? ZEROS);
  }
}

/** True if both states are in the same place of the indexes by parent. */
function isSamePlace(one: TokenRow, other: TokenRow): boolean {
  return isSameAccount(one.parent, other.parent) && Buffer.compare(one.childCode, other.childCode) === 0;
}

interface Pushed<T> {
  push(value: T): void;
}

function pushAddress(
  workchains: Pushed<number>,
  ids: Pushed<Uint8Array>,
  address: AccountAddress | null,
): void {
  workchains.push((address ?? ZERO_ADDRESS).workchain);
  ids.push((address ?? ZERO_ADDRESS).address);
}
