import { type AccountId, accountOfRaw, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { accountCondition, accountSet, parts } from '../../query/key-lists.ts';
import type { ReadScope } from '../../query/scope.ts';
import { addressColumns } from '../../query/select-list.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { TokenSource } from '../tokens/filter.ts';
import type { TransferKind, TransferRow } from './model.ts';

/** Kind of the contract that a transfer of a kind is received by. */
export function receiverKind(kind: TransferKind): 'nft_item' | 'jetton_wallet' {
  return kind === 'nft_transfer' ? 'nft_item' : 'jetton_wallet';
}

/**
 * Wallets and items that were detected once; null if the store has no such table. Older outcomes count while they are
 * the newest.
 */
function confirmedRows({ confirmed, detected }: TokenSource): string | null {
  if (confirmed === null || detected === null) return null;
  const parent = 'has_parent, parent_workchain, parent';
  return (
    `(SELECT since, kind, workchain, account, item_index, ${parent} FROM ${confirmed}` +
    ` UNION ALL SELECT mc_seqno AS since, kind, workchain, account, amount AS item_index, ${parent} FROM ${detected}.detections WHERE reason = '')`
  );
}

/** Set (account, workchain) of those that the receivers of transfers of a kind may be. `also`: conditions more. */
export function confirmedSet(source: TokenSource, kind: TransferKind, also: string): string | null {
  const rows = confirmedRows(source);
  if (rows === null) return null;
  return `(SELECT account, workchain FROM ${rows} WHERE kind = '${receiverKind(kind)}' AND ${also})`;
}

/** Accounts first detected in a step of parameters `first` to `last`. */
export function confirmedFirst({ confirmed }: TokenSource, kind: TransferKind): string | null {
  if (confirmed === null) return null;
  return `(SELECT account FROM ${confirmed} WHERE kind = '${receiverKind(kind)}' AND since BETWEEN {first:UInt32} AND {last:UInt32})`;
}

/** Accounts of those of some masters or collections in parameter `parents`; null if there are none. */
export function confirmedChildren({ confirmed, detected }: TokenSource, kind: TransferKind): string | null {
  if (confirmed === null || detected === null) return null;
  return `(SELECT account FROM ${detected}.detected_keys WHERE (key, key_workchain) IN ${accountSet('parents')} AND role = 'parent' AND kind = '${receiverKind(kind)}')`;
}

/** Transfers whose receivers are wallets or items by their get methods, with their parent and index. */
export async function confirmTransfers(
  { query }: Pick<ReadScope<never>, 'query'>,
  source: TokenSource,
  kind: TransferKind,
  rows: readonly TransferRow[],
): Promise<ReadonlyMap<TransferRow, TransferRow>> {
  const confirmed = confirmedRows(source);
  if (confirmed === null || rows.length === 0) return new Map();
  const accounts = distinctAccounts(rows.map(({ address }) => accountOfRaw(address)));
  const plan = (some: readonly AccountId[]) =>
    planConfirmed({ confirmed, last: source.visible.last }, receiverKind(kind), some);
  const found = (await Promise.all(parts(accounts).map((some) => query(plan(some))))).flat();
  // The newest of an account, which has several rows only where its parent changed.
  const foundByAddress = new Map(
    found.map(([workchain, hash, parent, index]) => [
      rawAddress({ workchain: Number(workchain), hash: String(hash) }),
      { parent: parent as string | null, index: String(index) },
    ]),
  );
  return new Map(
    rows.flatMap((row) => {
      const token = foundByAddress.get(row.address);
      if (!token) return [];
      const amount = kind === 'nft_transfer' ? token.index : row.amount;
      return [[row, { ...row, parent: token.parent, amount }] as const];
    }),
  );
}

function planConfirmed(
  { confirmed, last }: { readonly confirmed: string; readonly last: number },
  kind: string,
  accounts: readonly AccountId[],
): Statement {
  const conditions = accountCondition(accounts, new Conditions()).add(
    'kind = {kind:String} AND since <= {visible_last:UInt32}',
    { kind, visible_last: last },
  );
  return conditions.statement(
    `SELECT workchain, hex(account), ${addressColumns('parent')}, toString(item_index) FROM ${confirmed} WHERE ${conditions.text} ORDER BY since`,
  );
}
