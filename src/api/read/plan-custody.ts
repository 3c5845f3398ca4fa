import type { MemberRole } from '../../ton/contracts/contract-state.ts';
import type { CustodyKind } from '../../ton/contracts/custody-state.ts';
import { type AccountId, rawAddress } from './account-id.ts';
import { CUSTODY_SELECT } from './custody-row.ts';
import { accountParams, accountSet } from './key-lists.ts';
import { direction, type Page } from './page.ts';
import { Conditions, type Statement } from './statement.ts';
import type { ContractSource } from './token-filter.ts';

/** What an account is to a contract. */
export type PartyRole = MemberRole | 'owner';

/** Field of the details in which accounts of a role stand, and whether it is a list of them. */
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
}

/** By the lt of the last transaction, or by address. */
export type CustodyOrder = 'lt' | 'address';

/**
 * Contracts that hold coins for several accounts, by their newest visible states. Keys tell which accounts may be wanted;
 * whether they still are says the newest state.
 */
export function planCustody(
  source: ContractSource,
  filter: CustodyFilter,
  page: Page,
  order: CustodyOrder,
): Statement {
  const { database, visible } = source;
  const conditions = new Conditions();
  conditions.bind({
    kind: filter.kind,
    visible_last: visible.last,
    limit: page.limit,
    offset: page.offset,
  });
  const states = `${database}.contract_states`;
  const candidates = candidateText(database, filter, conditions);
  const newest = `SELECT account, workchain, max(lt) FROM ${states} WHERE ${candidates} GROUP BY account, workchain`;
  conditions
    .add(`(account, workchain, lt) IN (${newest})`)
    .add('kind = {kind:String} AND mc_seqno <= {visible_last:UInt32} AND NOT is_gone');
  exactConditions(filter, conditions);
  if (filter.kind === 'multisig_order') conditions.add(knownByMultisig(states, candidates));
  const way = direction(page);
  const sorted = order === 'lt' ? `lt ${way}, account ${way}, workchain` : 'account, workchain';
  const ofParent = filter.mostOfParent
    ? ` LIMIT ${Math.trunc(filter.mostOfParent)} BY parent, parent_workchain`
    : '';
  return conditions.statement(
    `SELECT ${CUSTODY_SELECT} FROM ${states} WHERE ${conditions.text} ORDER BY ${sorted}${ofParent} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

/** Conditions on the states of accounts that may be wanted. */
function candidateText(
  database: string,
  { addresses = [], members, parents = [] }: CustodyFilter,
  conditions: Conditions,
): string {
  const texts = ['kind = {kind:String} AND mc_seqno <= {visible_last:UInt32}'];
  if (addresses.length > 0) {
    conditions.bind(accountParams('addresses', addresses));
    texts.push(`(account, workchain) IN ${accountSet('addresses')}`);
  }
  const keyed = (name: string, accounts: readonly AccountId[], roles: readonly string[]) => {
    conditions.bind({ ...accountParams(name, accounts), [`${name}_roles`]: roles });
    const keys = `(key, key_workchain) IN ${accountSet(name)} AND has({${name}_roles:Array(String)}, toString(role))`;
    texts.push(
      `(account, workchain) IN (SELECT account, workchain FROM ${database}.contract_keys WHERE ${keys} AND mc_seqno <= {visible_last:UInt32})`,
    );
  };
  if (members) keyed('members', members.accounts, members.roles);
  if (parents.length > 0) keyed('parents', parents, ['multisig']);
  return texts.join(' AND ');
}

/** What the newest state itself must say. */
function exactConditions({ members, parents = [] }: CustodyFilter, conditions: Conditions): void {
  if (parents.length > 0)
    conditions.add(`has_parent AND (parent, parent_workchain) IN ${accountSet('parents')}`);
  if (!members) return;
  const texts = members.roles.flatMap((role) => {
    const [field, isList] = FIELDS[role] ?? [];
    if (field === undefined) return [];
    return isList
      ? `hasAny(JSONExtract(details, '${field}', 'Array(String)'), {member_names:Array(String)})`
      : `has({member_names:Array(String)}, JSONExtractString(details, '${field}'))`;
  });
  if (texts.length === 0) return;
  conditions.add(`(${texts.join(' OR ')})`, { member_names: members.accounts.map(rawAddress) });
}

/** An order counts only if its multisig gives its orders this code: its address then follows from its number. */
function knownByMultisig(states: string, candidates: string): string {
  const parents = `SELECT parent, parent_workchain FROM ${states} WHERE ${candidates}`;
  return (
    `(parent, parent_workchain, child_code) IN (SELECT account, workchain, child_code FROM ${states}` +
    ` WHERE (account, workchain) IN (${parents}) AND kind = 'multisig' AND mc_seqno <= {visible_last:UInt32} AND NOT is_gone)`
  );
}
