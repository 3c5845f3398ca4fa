import type { AccountId } from './account-id.ts';
import { accountParams, accountSet, hashSet, u64Array } from './key-lists.ts';
import { direction, type Page } from './page.ts';
import { knownByParent, type TokenSource } from './plan-tokens.ts';
import { Conditions, type Statement } from './statement.ts';
import { TRANSFER_SELECT, type TransferKind } from './transfer-row.ts';

/** Which transfers are wanted; lists are OR-ed, filters AND-ed, an empty list is no filter. */
export interface TransferFilter {
  readonly kind: TransferKind;
  readonly owners?: readonly AccountId[];
  /** The side that an owner is on: `in` destination, `out` source. Default: either. */
  readonly direction?: 'in' | 'out';
  /** Wallets or items. */
  readonly accounts?: readonly AccountId[];
  /** Masters or collections. */
  readonly parents?: readonly AccountId[];
  readonly excludesAborted?: boolean;
  readonly startUtime?: number;
  readonly endUtime?: number;
  readonly startLt?: string;
  readonly endLt?: string;
}

/** A transfer by what its table is ordered by. */
export interface TransferKey {
  readonly lt: string;
  /** 64 hex digits. */
  readonly account: string;
}

const BOUNDS = {
  startUtime: 'now >= {startUtime:UInt32}',
  endUtime: 'now <= {endUtime:UInt32}',
  startLt: 'lt >= {startLt:UInt64}',
  endLt: 'lt <= {endLt:UInt64}',
} as const;

/** Lists are ordered by time where a bound of time is given, else by lt. */
function orderOf({ startUtime, endUtime }: TransferFilter, page: Page): string {
  const way = direction(page);
  const isByTime = startUtime !== undefined || endUtime !== undefined;
  return `${isByTime ? `now ${way}, ` : ''}lt ${way}, account ${way}`;
}

/** Whether an index by account narrows the list. */
export function isByAccount({ owners = [], accounts = [], parents = [] }: TransferFilter): boolean {
  return owners.length > 0 || accounts.length > 0 || parents.length > 0;
}

/** Keys of transfers in which an account takes part; of the filters, those that the index does not know are left out. */
export function planTransferKeys(source: TokenSource, filter: TransferFilter, page: Page): Statement {
  const [keys, roles] = indexOf(filter);
  const conditions = inRange(source, filter, new Conditions());
  conditions.addFirst(`key IN ${hashSet('keys')}`).add('role IN {roles:Array(String)}');
  conditions.bind({
    keys: keys.map(({ hash }) => hash),
    roles,
    limit: page.limit,
    offset: page.offset,
  });
  return conditions.statement(
    `SELECT DISTINCT toString(lt), hex(account), now, lt, account FROM ${source.database}.token_transfer_keys WHERE ${conditions.text} ORDER BY ${orderOf(filter, page)} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

/** The narrowest index, and the roles that its accounts have in it. */
function indexOf({
  owners = [],
  accounts = [],
  parents = [],
  direction: side,
}: TransferFilter): [readonly AccountId[], readonly string[]] {
  if (accounts.length > 0) return [accounts, ['account']];
  if (owners.length === 0) return [parents, ['parent']];
  if (side === undefined) return [owners, ['source', 'destination']];
  return [owners, [side === 'in' ? 'destination' : 'source']];
}

/** Rows of keys, or of the whole table, that all filters take. */
export function planTransfers(
  source: TokenSource,
  filter: TransferFilter,
  page: Page,
  keys: readonly TransferKey[] | null,
): Statement {
  const conditions = inRange(source, filter, new Conditions());
  if (keys) {
    conditions.add(
      '(lt, account) IN (SELECT k.1, toFixedString(unhex(k.2), 32) FROM (SELECT arrayJoin(arrayZip({lts:Array(UInt64)}, {accounts:Array(String)})) AS k))',
      {
        lts: u64Array(keys.map(({ lt }) => BigInt(lt))),
        accounts: keys.map(({ account }) => account),
      },
    );
  }
  exactConditions(source, filter, conditions);
  conditions.bind({ limit: page.limit, offset: page.offset });
  return conditions.statement(
    `SELECT ${TRANSFER_SELECT} FROM ${source.database}.token_transfers WHERE ${conditions.text} ORDER BY ${orderOf(filter, page)} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

function inRange({ visible }: TokenSource, filter: TransferFilter, conditions: Conditions): Conditions {
  conditions.add('kind = {kind:String} AND mc_seqno <= {visible_last:UInt32}', {
    kind: filter.kind,
    visible_last: visible.last,
  });
  for (const [name, text] of Object.entries(BOUNDS)) {
    const value = filter[name as keyof typeof BOUNDS];
    if (value !== undefined) conditions.add(text, { [name]: value });
  }
  return conditions;
}

function exactConditions({ database }: TokenSource, filter: TransferFilter, conditions: Conditions): void {
  const { kind, owners = [], accounts = [], parents = [], direction: side, excludesAborted } = filter;
  const list = (name: string, columns: string, ids: readonly AccountId[]) => {
    if (ids.length === 0) return;
    conditions.add(`${columns} IN ${accountSet(name)}`, accountParams(name, ids));
  };
  list('wallets', '(account, workchain)', accounts);
  list('parents', '(parent, parent_workchain)', parents);
  if (owners.length > 0) {
    const on = (name: string) => `(has_${name} AND (${name}, ${name}_workchain) IN ${accountSet('owners')})`;
    const sides = side === 'in' ? ['destination'] : side === 'out' ? ['source'] : ['source', 'destination'];
    conditions.add(`(${sides.map(on).join(' OR ')})`, accountParams('owners', owners));
  }
  if (excludesAborted) conditions.add('NOT aborted');
  conditions.add(knownByParent(database, kind === 'nft_transfer' ? 'nft_item' : 'jetton_wallet') as string);
}
