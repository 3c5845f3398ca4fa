import type { MemberRole } from '../../../ton/contracts/contract-state.ts';
import type { CustodyKind } from '../../../ton/contracts/custody/custody-state.ts';
import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { accountParams, accountSet } from '../../query/key-lists.ts';
import { I32, ID, type Keyset, keyset, U64 } from '../../query/keyset.ts';
import { direction, type Page } from '../../query/page.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { ContractSource, DetectedTables } from '../tokens/filter.ts';
import type { CustodyRow } from './custody-row.ts';
import { CUSTODY_SELECT } from './custody-row.ts';

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
const COLUMNS = 'workchain, account, lt, code_hash, data_hash, has_parent, parent_workchain, parent, details';

/**
 * Contracts that hold coins for several accounts, by their newest visible states. Keys give the candidate accounts;
 * the newest state decides.
 */
export function planCustody(
  source: ContractSource,
  filter: CustodyFilter,
  page: Page,
  order: CustodyOrder,
): Statement {
  const { database, visible, detectedTables: detected = null } = source;
  const conditions = new Conditions();
  conditions.bind({
    kind: filter.kind,
    visible_last: visible.last,
    limit: page.limit,
    offset: page.offset,
  });
  bindKeys(filter, conditions);
  const exact = exactConditions(filter, conditions);
  const known = knownCustody(database, filter, exact);
  const rows =
    detected !== null && TRIED.includes(filter.kind)
      ? `FROM (SELECT * FROM (SELECT ${COLUMNS} ${known} UNION ALL SELECT ${COLUMNS} ${detectedCustody(detected, filter, exact)}) ORDER BY lt DESC LIMIT 1 BY account, workchain)`
      : known;
  const behind = filter.scan ? behindPlace(rows, filter.scan, conditions, order) : rows;
  const from = order === 'first' ? withFirsts(`SELECT ${COLUMNS} ${rows}`, database, filter) : behind;
  const way = direction(page);
  const sorted = {
    lt: `lt ${way}, account ${way}, workchain`,
    first: 'since, account, workchain',
    address: 'account, workchain',
  }[order];
  const ofParent = filter.mostOfParent
    ? ` LIMIT ${Math.trunc(filter.mostOfParent)} BY parent, parent_workchain`
    : '';
  return conditions.statement(
    `SELECT ${CUSTODY_SELECT} ${from} ORDER BY ${sorted}${ofParent} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

/** FROM of rows with the step of each contract's first appearance, from its cells. */
function withFirsts(rows: string, database: string, filter: CustodyFilter): string {
  const candidates = candidateText(`${database}.contract_keys`, filter);
  const firsts = `SELECT account, workchain, min(mc_seqno) AS since FROM ${database}.contract_states WHERE ${candidates} GROUP BY account, workchain`;
  return `FROM (${rows}) AS listed ANY INNER JOIN (${firsts}) AS firsts USING (account, workchain)`;
}

/** FROM and WHERE of the ones from cells. */
function knownCustody(database: string, filter: CustodyFilter, exact: readonly string[]): string {
  const states = `${database}.contract_states`;
  const candidates = candidateText(`${database}.contract_keys`, filter);
  const newest = `SELECT account, workchain, max(lt) FROM ${states} WHERE ${candidates} GROUP BY account, workchain`;
  const texts = [`(account, workchain, lt) IN (${newest})`, VISIBLE, 'NOT is_gone', ...exact];
  if (filter.kind === 'multisig_order') texts.push(knownByMultisig(states, candidates));
  return `FROM ${states} WHERE ${texts.join(' AND ')}`;
}

/** The same for detected ones, confirmed by an order's multisig. */
function detectedCustody(
  { contracts, keys }: DetectedTables,
  filter: CustodyFilter,
  exact: readonly string[],
): string {
  const newest = `SELECT * FROM ${contracts} WHERE ${candidateText(keys, filter)} ORDER BY lt DESC LIMIT 1 BY account, workchain`;
  return `FROM (${newest}) WHERE ${["reason = ''", ...exact].join(' AND ')}`;
}

const VISIBLE = 'kind = {kind:String} AND mc_seqno <= {visible_last:UInt32}';

/** Parameters of the accounts that are asked for. */
function bindKeys({ addresses = [], members, parents = [] }: CustodyFilter, conditions: Conditions): void {
  if (addresses.length > 0) conditions.bind(accountParams('addresses', addresses));
  if (members)
    conditions.bind({ ...accountParams('members', members.accounts), members_roles: members.roles });
  if (parents.length > 0)
    conditions.bind({ ...accountParams('parents', parents), parents_roles: ['multisig'] });
}

/** Conditions on the states of accounts that may be wanted; `keys`: table of accounts by which they are found. */
function candidateText(keys: string, { addresses = [], members, parents = [] }: CustodyFilter): string {
  const texts = [VISIBLE];
  if (addresses.length > 0) texts.push(`(account, workchain) IN ${accountSet('addresses')}`);
  const isDated = keys.endsWith('.contract_keys') ? ' AND mc_seqno <= {visible_last:UInt32}' : '';
  const keyed = (name: string) =>
    `(account, workchain) IN (SELECT account, workchain FROM ${keys} WHERE (key, key_workchain) IN ${accountSet(name)} AND has({${name}_roles:Array(String)}, toString(role))${isDated})`;
  if (members) texts.push(keyed('members'));
  if (parents.length > 0) texts.push(keyed('parents'));
  return texts.join(' AND ');
}

/** Conditions on the newest state itself. */
function exactConditions(
  { members, parents = [] }: CustodyFilter,
  conditions: Conditions,
): readonly string[] {
  const ofParents =
    parents.length > 0 ? [`has_parent AND (parent, parent_workchain) IN ${accountSet('parents')}`] : [];
  const texts = (members?.roles ?? []).flatMap((role) => {
    const [field, isList] = FIELDS[role] ?? [];
    if (field === undefined) return [];
    return isList
      ? `hasAny(JSONExtract(details, '${field}', 'Array(String)'), {member_names:Array(String)})`
      : `has({member_names:Array(String)}, JSONExtractString(details, '${field}'))`;
  });
  if (!members || texts.length === 0) return ofParents;
  conditions.bind({ member_names: members.accounts.map(rawAddress) });
  return [...ofParents, `(${texts.join(' OR ')})`];
}

/** FROM and WHERE of the rows after a scan's position; by address if the order is not by lt. */
function behindPlace(
  rows: string,
  { after, descending }: ScanPlace<CustodyPlace>,
  conditions: Conditions,
  order: CustodyOrder,
): string {
  if (!after) return rows;
  const { lt, account, workchain } = after;
  conditions.bind({ after_account: account, after_workchain: workchain });
  const from = `FROM (SELECT ${COLUMNS} ${rows}) WHERE`;
  if (order !== 'lt')
    return `${from} (account, workchain) > (unhex({after_account:String}), {after_workchain:Int32})`;
  conditions.bind({ after_lt: lt });
  const sign = descending ? '<' : '>';
  const tied = `(account ${sign} unhex({after_account:String}) OR (account = unhex({after_account:String}) AND workchain > {after_workchain:Int32}))`;
  return `${from} (lt ${sign} {after_lt:UInt64} OR (lt = {after_lt:UInt64} AND ${tied}))`;
}

/** An order counts only if its multisig gives its orders this code: its address then follows from its number. */
function knownByMultisig(states: string, candidates: string): string {
  const parents = `SELECT parent, parent_workchain FROM ${states} WHERE ${candidates}`;
  return (
    `(parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code FROM ${states}` +
    ` WHERE (account, workchain) IN (${parents}) AND kind = 'multisig' AND mc_seqno <= {visible_last:UInt32} AND NOT is_gone)`
  );
}
