import type { AccountId } from '../../query/account-id.ts';
import { accountOfRaw } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { accountParams, accountSet, hashLiteral, hashSet, u64Array } from '../../query/key-lists.ts';
import { I32, ID, type Keyset, keyset, U64 } from '../../query/keyset.ts';
import { direction, type Page } from '../../query/page.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { ContractSource, TokenSource } from '../tokens/filter.ts';
import { namedCodes } from '../tokens/known-parents.ts';
import type { TokenKind } from '../tokens/model.ts';
import type { TransferKey } from './by-key.ts';
import type { TransferKind, TransferRow } from './model.ts';
import { confirmedChildren, confirmedFirst, confirmedSet } from './read-confirmed.ts';

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
  /** Place of a scan: the list from here on, always by lt. */
  readonly scan?: TransferScan;
}

/** The place of a transfer in a list by lt: `lt` decimal, `account` 64 upper-case hex digits. */
export interface TransferPlace {
  readonly lt: string;
  readonly account: string;
  readonly workchain: number;
}

const PLACE = { lt: U64, account: ID, workchain: I32 } as const;

/** Places of lists of transfers. */
export const TRANSFERS: Readonly<Record<TransferKind, Keyset<TransferPlace>>> = {
  jetton_transfer: keyset({ list: 'jt', isResumable: true }, PLACE),
  jetton_burn: keyset({ list: 'jb', isResumable: true }, PLACE),
  nft_transfer: keyset({ list: 'nt', isResumable: true }, PLACE),
};

export function transferPlace({ lt, address }: TransferRow): TransferPlace {
  const { hash: account, workchain } = accountOfRaw(address);
  return { lt, account, workchain };
}

/** A scan's position, and the step from which on transfers are new to it: null if the scan begins with the index. */
export interface TransferScan extends ScanPlace<TransferPlace> {
  readonly newFrom: number | null;
}

const BOUNDS = {
  startUtime: 'now >= {startUtime:UInt32}',
  endUtime: 'now <= {endUtime:UInt32}',
  startLt: 'lt >= {startLt:UInt64}',
  endLt: 'lt <= {endLt:UInt64}',
} as const;

/** Lists are ordered by time with a bound of time, else by lt; scans by lt. */
function buildOrder(filter: TransferFilter, page: Page): string {
  const way = direction(page);
  return `${isByTime(filter) ? `now ${way}, ` : ''}lt ${way}, account ${way}, workchain ${way}`;
}

/** True if a list is by time: scans are by lt. */
export function isByTime({ startUtime, endUtime, scan }: TransferFilter): boolean {
  return !scan && (startUtime !== undefined || endUtime !== undefined);
}

/** Whether an index by account narrows the list. */
export function isByAccount({ owners = [], accounts = [], parents = [] }: TransferFilter): boolean {
  return owners.length > 0 || accounts.length > 0 || parents.length > 0;
}

/** So many pairs of key and role are each read in the order of the index; more are sorted. */
const MAX_ORDERED = 8;

/** Keys of so short a page are put together by the process: the store would take as long for that as for reading them. */
const MAX_UNMERGED = 1_000;

/**
 * Keys (lt, account, workchain, now) of an account's transfers, from which `firstKeys` takes the page; filters unknown
 * to the index are omitted. Detected wallets and items have no parent in the index: they are looked up separately.
 */
export function planTransferKeys(source: TokenSource, filter: TransferFilter, page: Page): Statement {
  const [keys, roles] = chooseIndex(filter);
  const children = roles[0] === 'parent' ? confirmedChildren(source, filter.kind) : null;
  const conditions = inRange(source, filter, new Conditions());
  if (children !== null) conditions.bind(accountParams('parents', keys));
  const table = `${source.database}.token_transfer_keys`;
  const pairs = keys.flatMap((key) =>
    roles.map((role) => `key = ${hashLiteral(key.hash)} AND role = '${role}'`),
  );
  const paged = `ORDER BY ${buildOrder(filter, page)} LIMIT ${page.limit} OFFSET ${page.offset}`;
  if (isByTime(filter) || pairs.length > MAX_ORDERED) {
    const own = `key IN ${hashSet('keys')} AND role IN {roles:Array(String)}`;
    conditions.addFirst(children === null ? own : `(${own} OR key IN ${children} AND role = 'account')`);
    conditions.bind({ keys: keys.map(({ hash }) => hash), roles });
    return conditions.statement(
      `SELECT DISTINCT lt, hex(account), workchain, now, account FROM ${table} WHERE ${conditions.text} ${paged}`,
    );
  }
  const way = direction(page);
  const isMerged = page.offset > 0 || page.limit > MAX_UNMERGED;
  const first = (pair: string, by: string) =>
    `(SELECT lt, ${isMerged ? 'account' : 'hex(account)'}, workchain, now FROM ${table} PREWHERE ${pair} AND ${conditions.text}` +
    ` ORDER BY ${by}lt ${way}, account ${way}, workchain ${way} LIMIT ${page.limit + page.offset})`;
  const some = pairs.map((pair) => first(pair, `key ${way}, kind ${way}, role ${way}, `));
  if (children !== null) some.push(first(`key IN ${children} AND role = 'account'`, ''));
  const all = some.join(' UNION ALL ');
  if (!isMerged) return conditions.statement(all);
  return conditions.statement(
    `SELECT DISTINCT lt, hex(account), workchain, now, account FROM (${all}) ${paged}`,
  );
}

/** The narrowest index, and the roles that its accounts have in it. */
function chooseIndex({
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

/** Which rows of the table a statement looks at. */
export interface TransfersAmong {
  /** Null: all. */
  readonly keys: readonly TransferKey[] | null;
  /**
   * Leaves those whose parents name their code, by the codes of all parents that there are. Otherwise the process asks of the
   * rows that it gets.
   */
  readonly isNamed: boolean;
}

/** Rows of keys, or of the whole table, that all filters take; to be read by `transferRows`. */
export function planTransfers(
  source: TokenSource,
  filter: TransferFilter,
  page: Page,
  { keys, isNamed }: TransfersAmong,
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
  if (isNamed) conditions.add(detectedSql(source, filter.kind, keys !== null));
  const newFrom = filter.scan?.newFrom ?? null;
  // A transfer whose parent's code or receiver is known only now was on no page before.
  if (newFrom !== null)
    conditions.add(`(mc_seqno >= {new_from:UInt32} OR NOT ${detectedBeforeSql(source, filter.kind)})`, {
      new_from: newFrom,
    });
  conditions.bind({ limit: page.limit, offset: page.offset });
  return conditions.statement(
    `SELECT account, payload FROM ${source.database}.token_transfers WHERE ${conditions.text} ORDER BY ${buildOrder(filter, page)} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

function inRange({ visible }: ContractSource, filter: TransferFilter, conditions: Conditions): Conditions {
  conditions.add('kind = {kind:String} AND mc_seqno <= {visible_last:UInt32}', {
    kind: filter.kind,
    visible_last: visible.last,
  });
  for (const [name, text] of Object.entries(BOUNDS)) {
    const value = filter[name as keyof typeof BOUNDS];
    if (value !== undefined) conditions.add(text, { [name]: value });
  }
  if (filter.scan) addPlace(conditions, filter.scan);
  return conditions;
}

function addPlace(conditions: Conditions, { after, descending }: TransferScan): void {
  if (!after) return;
  const sign = descending ? '<' : '>';
  const ties = `(account, workchain) ${sign} (unhex({after_account:String}), {after_workchain:Int32})`;
  conditions.add(`lt ${sign}= {after_lt:UInt64} AND (lt ${sign} {after_lt:UInt64} OR ${ties})`, {
    after_lt: after.lt,
    after_account: after.account,
    after_workchain: after.workchain,
  });
}

/** A wallet or an item, by what its parent must name. */
const CHILD = '(parent, parent_workchain, child_code)';

/** The kind whose code decides the contracts of a kind's transfers. */
function getParentKind(kind: TransferKind): TokenKind {
  return kind === 'nft_transfer' ? 'nft_collection' : 'jetton_master';
}

/**
 * True if the receiver is a wallet or an item: its parent names its code, or it was detected. `keys`: of parameter
 * `accounts`.
 */
function detectedSql(source: TokenSource, kind: TransferKind, isAmongKeys: boolean): string {
  const named = `${CHILD} IN ${namedCodes(source, getParentKind(kind), null)}`;
  const among = isAmongKeys ? ` AND account IN ${hashSet('accounts')}` : '';
  const confirmed = confirmedSet(source, kind, `since <= {visible_last:UInt32}${among}`);
  return confirmed === null ? named : `(${named} OR (account, workchain) IN ${confirmed})`;
}

/** The same below step `new_from`. */
function detectedBeforeSql(source: TokenSource, kind: TransferKind): string {
  const named = `${CHILD} IN ${codesNamedBefore(source, getParentKind(kind))}`;
  const confirmed = confirmedSet(source, kind, 'since < {new_from:UInt32}');
  return confirmed === null ? `(${named})` : `(${named} OR (account, workchain) IN ${confirmed})`;
}

/** Codes that were named below step `new_from`. */
function codesNamedBefore({ database, detected }: TokenSource, parent: TokenKind): string {
  const of = `kind = '${parent}' AND mc_seqno < {new_from:UInt32}`;
  const known = `SELECT account, workchain, child_code FROM ${database}.token_firsts WHERE ${of}`;
  if (detected === null || parent !== 'jetton_master') return `(${known})`;
  return `(${known} UNION ALL SELECT account, workchain, child_code FROM ${detected}.detections WHERE ${of} AND reason = '')`;
}

/**
 * The lowest lt of transfers that are new in the visible steps: those of these steps, and older ones whose master,
 * collection or receiver these steps show first.
 */
export function planTransferFloor(source: TokenSource, base: string, kind: TransferKind): Statement {
  const { database: contracts, visible } = source;
  const steps = `SELECT min(start_lt) AS lt FROM ${base}.blocks PREWHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} HAVING count() > 0`;
  const parents = `SELECT account FROM ${contracts}.token_firsts WHERE kind = '${getParentKind(kind)}' AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}`;
  const older = `SELECT min(lt) AS lt FROM ${contracts}.token_transfer_keys WHERE key IN (${parents}) AND kind = '${kind}' AND role = 'parent' HAVING count() > 0`;
  const receivers = confirmedFirst(source, kind);
  const detectedUnion =
    receivers === null
      ? ''
      : ` UNION ALL SELECT min(lt) AS lt FROM ${contracts}.token_transfer_keys WHERE key IN ${receivers} AND kind = '${kind}' AND role = 'account' HAVING count() > 0`;
  return {
    sql: `SELECT toString(min(lt)) FROM (${steps} UNION ALL ${older}${detectedUnion})`,
    params: { ...visible },
  };
}

function exactConditions({ confirmed }: TokenSource, filter: TransferFilter, conditions: Conditions): void {
  const { owners = [], accounts = [], parents = [], direction: side, excludesAborted } = filter;
  const list = (name: string, columns: string, ids: readonly AccountId[]) => {
    if (ids.length === 0) return;
    conditions.add(`(${columns} IN ${accountSet(name)})`, accountParams(name, ids));
  };
  list('wallets', '(account, workchain)', accounts);
  // The parents of detected ones are not in the table: the reader compares them.
  list('parents', `${confirmed === null ? '' : 'NOT has_parent OR '}(parent, parent_workchain)`, parents);
  if (owners.length > 0) {
    const on = (name: string) => `(has_${name} AND (${name}, ${name}_workchain) IN ${accountSet('owners')})`;
    const sides = side === 'in' ? ['destination'] : side === 'out' ? ['source'] : ['source', 'destination'];
    conditions.add(`(${sides.map(on).join(' OR ')})`, accountParams('owners', owners));
  }
  if (excludesAborted) conditions.add('NOT aborted');
}
