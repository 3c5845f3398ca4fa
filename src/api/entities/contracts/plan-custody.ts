import type { MemberRole } from '../../../ton/contracts/contract-state.ts';
import type { CustodyKind } from '../../../ton/contracts/custody/custody-state.ts';
import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { isIn } from '../../query/keys.ts';
import { I32, ID, type Keyset, keyset, U64 } from '../../query/keyset.ts';
import { type Page, toLimit } from '../../query/page.ts';
import { and, identifier, join, NOTHING, type Sql, sql, texts, unsafeSql, words } from '../../query/sql.ts';
import { isKind, isVisible, type TokenSource } from '../tokens/filter.ts';
import { CUSTODY_SELECT, type CustodyRow } from './custody-row.ts';

/** Role of an account in a contract. */
export type PartyRole = MemberRole | 'owner';

/** Field of the details with accounts of a role, and whether it is a list. */
const FIELDS: Readonly<Partial<Record<PartyRole, readonly [field: string, isList: boolean]>>> = {
  signer: ['signers', true],
  proposer: ['proposers', true],
  owner: ['owner_address', false],
  sender: ['sender_address', false],
  whitelisted: ['whitelist', true],
};

/** Accounts that are something to a contract. */
export interface MemberFilter {
  readonly accounts: readonly AccountId[];
  /** They are one of these. */
  readonly roles: readonly PartyRole[];
}

/** Which contracts of a kind are wanted; lists are OR-ed, filters AND-ed, an empty list is no filter. */
export interface CustodyFilter {
  readonly kind: CustodyKind;
  readonly addresses?: readonly AccountId[];
  readonly members?: MemberFilter;
  /** Multisigs of orders. */
  readonly parents?: readonly AccountId[];
  /** At most so many of each parent. Default: all. */
  readonly mostOfParent?: number;
  /** Place of a scan: the list from here on. */
  readonly scan?: ScanPlace<CustodyPlace>;
}

/** The place of a contract in both orders; `lt` of its last transaction, decimal, `account` 64 upper-case hex digits. */
export interface CustodyPlace {
  readonly lt: string;
  readonly account: string;
  readonly workchain: number;
}

const PLACE = { lt: U64, account: ID, workchain: I32 } as const;

/** Places of multisigs, their orders and vesting contracts, which are as of one moment. */
export const CUSTODY = {
  multisig: keyset<CustodyPlace>({ list: 'w', isResumable: false }, PLACE),
  multisig_order: keyset<CustodyPlace>({ list: 'wo', isResumable: false }, PLACE),
  vesting: keyset<CustodyPlace>({ list: 've', isResumable: false }, PLACE),
} as const satisfies Partial<Record<CustodyKind, Keyset<CustodyPlace>>>;

export function custodyPlace({ lt, address }: Pick<CustodyRow<CustodyKind>, 'lt' | 'address'>): CustodyPlace {
  const { hash: account, workchain } = accountOfRaw(address);
  return { lt, account, workchain };
}

/** By the lt of the last transaction, by first appearance, or by address. */
export type CustodyOrder = 'lt' | 'first' | 'address';

/** Kinds that are also detected. */
const TRIED: readonly CustodyKind[] = ['multisig', 'multisig_order'];
const COLUMNS = sql`workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details`;

const BY_ADDRESS = CUSTODY.multisig.order(['account', 'ASC'], ['workchain', 'ASC']);
const BY_LT = CUSTODY.multisig.order(['lt', 'page'], ['account', 'page'], ['workchain', 'ASC']);

/**
 * Contracts that hold coins for several accounts, by their newest visible states. Keys give the candidate accounts;
 * the newest state decides.
 */
export function planCustody(
  source: TokenSource,
  filter: CustodyFilter,
  page: Page,
  order: CustodyOrder,
): Sql {
  const { detected } = source;
  const known = knownCustody(source, filter);
  const rows =
    detected !== null && TRIED.includes(filter.kind)
      ? sql`FROM (SELECT * FROM (SELECT ${COLUMNS} ${known} UNION ALL SELECT ${COLUMNS} ${detectedCustody(source, detected, filter)}) ORDER BY lt DESC LIMIT 1 BY account, workchain)`
      : known;
  const from = order === 'first' ? withFirsts(rows, source, filter) : afterPlace(rows, filter, order);
  const sorted = {
    lt: BY_LT.by(page.descending),
    first: sql`since, account, workchain`,
    address: BY_ADDRESS.by(false),
  }[order];
  const ofParent = filter.mostOfParent
    ? unsafeSql(` LIMIT ${Math.trunc(filter.mostOfParent)} BY parent, parent_workchain`)
    : NOTHING;
  return sql`SELECT ${CUSTODY_SELECT} ${from} ORDER BY ${sorted}${ofParent} ${toLimit(page)}`;
}

/** FROM of rows with the step of each contract's first appearance, from its cells. */
function withFirsts(rows: Sql, source: TokenSource, filter: CustodyFilter): Sql {
  const firsts = sql`SELECT account, workchain, min(mc_seqno) AS since FROM ${stateTable(source)} WHERE ${isCandidate(source, filter)} GROUP BY account, workchain`;
  return sql`FROM (SELECT ${COLUMNS} ${rows}) AS listed ANY INNER JOIN (${firsts}) AS firsts USING (account, workchain)`;
}

/** FROM and WHERE of the rows after a scan's position; by address if the order is not by lt. */
function afterPlace(rows: Sql, { scan }: CustodyFilter, order: CustodyOrder): Sql {
  if (!scan?.after) return rows;
  const by = order === 'lt' ? BY_LT : BY_ADDRESS;
  return sql`FROM (SELECT ${COLUMNS} ${rows}) WHERE ${by.after(scan.after, scan.descending)}`;
}

function stateTable({ database }: TokenSource): Sql {
  return identifier(database, 'contract_states');
}

/** FROM and WHERE of the ones from cells. */
function knownCustody(source: TokenSource, filter: CustodyFilter): Sql {
  const candidates = isCandidate(source, filter);
  const newest = sql`SELECT account, workchain, max(lt) FROM ${stateTable(source)} WHERE ${candidates} GROUP BY account, workchain`;
  const wanted = and(
    sql`(account, workchain, lt) IN (${newest})`,
    isShown(source, filter),
    sql`NOT is_gone`,
    isExact(filter),
    filter.kind === 'multisig_order' && isKnownByMultisig(source, candidates),
  );
  return sql`FROM ${stateTable(source)} WHERE ${wanted}`;
}

/** The same for detected ones, confirmed by an order's multisig. */
function detectedCustody(source: TokenSource, detected: string, filter: CustodyFilter): Sql {
  const newest = sql`SELECT * FROM ${identifier(detected, 'detected_contracts')} WHERE ${isCandidate(source, filter, detected)} ORDER BY lt DESC LIMIT 1 BY account, workchain`;
  return sql`FROM (${newest}) WHERE ${and(sql`reason = ''`, isExact(filter))}`;
}

function isShown(source: TokenSource, { kind }: CustodyFilter): Sql {
  return and(isKind(kind), isVisible(source));
}

/** Condition: an account may be wanted, by the keys of `contracts`, or of the database `detected`. */
function isCandidate(source: TokenSource, filter: CustodyFilter, detected: string | null = null): Sql {
  const { addresses = [], members, parents = [] } = filter;
  const keys =
    detected === null
      ? identifier(source.database, 'contract_keys')
      : identifier(detected, 'detected_contract_keys');
  const isKeyed = (accounts: readonly AccountId[], roles: readonly string[]) =>
    sql`(account, workchain) IN (SELECT account, workchain FROM ${keys} WHERE ${and(
      isIn(accounts, 'key'),
      sql`toString(role) IN (${words(...roles)})`,
      detected === null && isVisible(source),
    )})`;
  return and(
    isShown(source, filter),
    addresses.length > 0 && isIn(addresses),
    members && isKeyed(members.accounts, members.roles),
    parents.length > 0 && isKeyed(parents, ['multisig']),
  );
}

/** Conditions on the newest state itself; null for none. */
function isExact({ members, parents = [] }: CustodyFilter): Sql | null {
  const isOfParents = parents.length > 0 && sql`has_parent AND ${isIn(parents, 'parent')}`;
  const names = texts((members?.accounts ?? []).map(rawAddress));
  const roles = (members?.roles ?? []).flatMap((role) => {
    const [field, isList] = FIELDS[role] ?? [];
    if (field === undefined) return [];
    return isList
      ? sql`hasAny(JSONExtract(details, ${words(field)}, 'Array(String)'), ${names})`
      : sql`has(${names}, JSONExtractString(details, ${words(field)}))`;
  });
  if (!isOfParents && roles.length === 0) return null;
  return and(isOfParents, roles.length > 0 && sql`(${join(roles, ' OR ')})`);
}

/** An order counts only if its multisig gives its orders this code: its address then follows from its number. */
function isKnownByMultisig(source: TokenSource, candidates: Sql): Sql {
  const parents = sql`SELECT parent, parent_workchain FROM ${stateTable(source)} WHERE ${candidates}`;
  const named = and(
    sql`(account, workchain) IN (${parents})`,
    isKind('multisig'),
    isVisible(source),
    sql`NOT is_gone`,
  );
  return sql`(parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code FROM ${stateTable(source)} WHERE ${named})`;
}
