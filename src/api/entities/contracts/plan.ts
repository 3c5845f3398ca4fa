import type { ContractKind } from '../../../ton/contracts/contract-state.ts';
import { type AccountId, accountOfRaw } from '../../query/account-id.ts';
import {
  accountCondition,
  accountParams,
  accountSet,
  hashSet,
  idCondition,
  rawSet,
} from '../../query/key-lists.ts';
import type { Page } from '../../query/page.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { ContractSource, DetectedTables, TokenSource } from '../tokens/filter.ts';
import { namedCodes } from '../tokens/known-parents.ts';
import {
  type ContractParty,
  detectedContracts,
  kindList,
  newest,
  partySet,
  SELLING,
} from '../tokens/sold-items.ts';
import { CONTRACT_SELECT, DETECTED_SELECT } from './model.ts';

/** Wanted contracts: accounts themselves, a party's, or those of full names. */
export type ContractFilter =
  | {
      readonly kinds: readonly ContractKind[];
      readonly addresses: readonly AccountId[];
      /** Includes ended ones with their last state. Default: no. */
      readonly withGone?: boolean;
    }
  | {
      readonly kinds: readonly ContractKind[];
      readonly party: ContractParty;
      readonly keys: readonly AccountId[];
    }
  | { readonly kinds: readonly ContractKind[]; readonly domainHash: string; readonly domain: string };

/** Source of names, and of the collections that name their codes. */
export type NameSource = ContractSource & Pick<TokenSource, 'detected'>;

/** The place of a name in their order: the shortest first, ties by text and address; `account` 64 upper-case hex digits. */
export interface NamePlace {
  readonly domain: string;
  readonly account: string;
  readonly workchain: number;
}

/** A page of names, after a scan's position if there is one. */
export interface NamesPage {
  readonly page: Page;
  readonly after: NamePlace | null;
}

/** Collections whose items are names; `any` on a chain of our own. */
export type NameZones = readonly string[] | 'any';

export const NAMES: readonly ContractKind[] = ['teleitem', 'dns_item'];

/** Kinds that detection tries in addition to tokens. */
export const TRIED: readonly ContractKind[] = [...SELLING, ...NAMES];

/**
 * Contracts among accounts by their newest visible states, by account. `detected`: table of detected ones; null if
 * there is none.
 */
export function planContracts(
  source: ContractSource,
  filter: ContractFilter & { readonly addresses: readonly AccountId[] },
  detected: string | null,
): Statement {
  const conditions = contractConditions(source, filter);
  const known = `SELECT ${CONTRACT_SELECT} FROM ${source.database}.contract_states WHERE ${conditions.text}`;
  const tried = filter.kinds.filter((kind) => TRIED.includes(kind));
  if (detected === null || tried.length === 0)
    return conditions.statement(`${known} ORDER BY account, workchain`);
  const found = detectedContracts(detected, `(account, workchain) IN ${accountSet('addresses')}`);
  const detectedSelect = `SELECT ${DETECTED_SELECT} FROM ${found} AND kind IN (${kindList(tried)})`;
  return conditions.statement(`SELECT * FROM (${known} UNION ALL ${detectedSelect}) ORDER BY 2, 1`);
}

/** Accounts (workchain, hex) among some that are or were contracts of some kinds: nearly none of those that are looked at. */
export function planOnce(
  table: string,
  kinds: readonly ContractKind[],
  accounts: readonly AccountId[],
): Statement {
  const conditions = idCondition(accounts, new Conditions());
  return conditions.statement(
    `SELECT DISTINCT workchain, hex(account) FROM ${table} PREWHERE ${conditions.text} AND kind IN (${kindList(kinds)})`,
  );
}

/** Which names are wanted. */
export type NameFilter = Exclude<ContractFilter, { readonly addresses: readonly AccountId[] }>;

/** Names by their newest visible states, the shortest first: those that their collection names, of some collections. */
export function planNames(
  source: NameSource,
  filter: NameFilter,
  zones: NameZones,
  { page, after }: NamesPage,
): Statement {
  const { text, conditions } = selectNames(source, filter, zones);
  conditions.bind({ limit: page.limit, offset: page.offset });
  if (after) bindName(after, conditions);
  const behind = (domain: string) => (after ? ` AND ${behindName(domain)}` : '');
  const known = `SELECT ${CONTRACT_SELECT} ${text}${behind('domain')}`;
  const rows = source.detectedTables
    ? `SELECT * FROM (${known} UNION ALL SELECT ${DETECTED_SELECT} ${detectedNames(source.detectedTables, filter, zones)}${behind(DETECTED_DOMAIN)})`
    : known;
  const account = source.detectedTables ? '2' : 'account';
  return conditions.statement(
    `${rows} ORDER BY length(domain), domain, ${account}, workchain LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

function bindName({ domain, account, workchain }: NamePlace, conditions: Conditions): void {
  conditions.bind({ after_domain: domain, after_account: account, after_workchain: workchain });
}

/** Text of a detected name, as in DETECTED_SELECT. */
const DETECTED_DOMAIN = "JSONExtractString(details, 'domain')";

/** Condition: a name is after a position. `domain`: expression of its text. */
function behindName(domain: string): string {
  const place =
    '(length({after_domain:String}), {after_domain:String}, unhex({after_account:String}), {after_workchain:Int32})';
  return `(length(${domain}), ${domain}, account, workchain) > ${place}`;
}

/** FROM and WHERE of detected names, confirmed by the collection; parameters as of `selectNames`. */
function detectedNames({ contracts, keys }: DetectedTables, filter: NameFilter, zones: NameZones): string {
  const byWallet = 'party' in filter;
  const key = byWallet
    ? `(key, key_workchain) IN ${accountSet('keys')} AND role = 'wallet'`
    : `key IN ${hashSet('names')} AND role = 'domain'`;
  const once = `(account, workchain) IN (SELECT account, workchain FROM ${keys} WHERE ${key})`;
  const still = byWallet
    ? `JSONExtractString(details, 'dns_wallet') IN ${rawSet('keys')}`
    : "JSONExtractString(details, 'domain') = {domain:String}";
  const inZone = zones === 'any' ? '' : ` AND (parent, parent_workchain) IN ${accountSet('zones')}`;
  return `FROM ${detectedContracts(contracts, once)} AND kind IN (${kindList(filter.kinds)}) AND ${still}${inZone}`;
}

/** Accounts that were the wallet of a name once: workchain, account. */
export function planWallets({ database, visible }: ContractSource, keys: readonly AccountId[]): Statement {
  const conditions = accountCondition(keys, new Conditions(), ['key', 'key_workchain'])
    .add("role = 'wallet'")
    .add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
  return conditions.statement(
    `SELECT DISTINCT key_workchain, hex(key) FROM ${database}.contract_keys PREWHERE ${conditions.text}`,
  );
}

/** The shortest name of each of some accounts that owns it and is its wallet: the account's raw address, the name. */
export function planDomains(source: NameSource, keys: readonly AccountId[], zones: NameZones): Statement {
  const { text, conditions } = selectNames(source, { kinds: NAMES, party: 'wallet', keys }, zones);
  return conditions.statement(
    `SELECT concat(toString(wallet_workchain), ':', hex(wallet)), domain ${text} AND has_owner AND owner = wallet AND owner_workchain = wallet_workchain ORDER BY length(domain), domain LIMIT 1 BY wallet, wallet_workchain`,
  );
}

/** Names in whose auction an account leads, by end and address. Times are Unix seconds. */
export interface LedAuctions {
  readonly bidder: AccountId;
  /** Auctions that end after `now`, or those that have ended; null: all of them. */
  readonly isRunning: boolean | null;
  readonly now: number;
  /** Rows after this one. */
  readonly after: { readonly endTime: string; readonly address: string } | null;
}

const END_TIME = "toUInt64OrZero(JSONExtractString(details, 'auction_end_time'))";
const RAW = "concat(toString(workchain), ':', hex(account))";

/** Names of `LedAuctions`, a page of them. */
export function planLedAuctions(
  source: NameSource,
  { bidder, isRunning, now, after }: LedAuctions,
  zones: NameZones,
  page: Page,
): Statement {
  const filter = { kinds: ['dns_item'], party: 'bidder', keys: [bidder] } as const;
  const { conditions, text } = selectNames(source, filter, zones);
  conditions.bind({ limit: page.limit, offset: page.offset });
  const more: string[] = [];
  if (isRunning !== null) {
    conditions.bind({ now });
    more.push(` AND ${END_TIME} ${isRunning ? '>' : '<='} {now:UInt64}`);
  }
  if (after) {
    conditions.bind({ after_end: after.endTime, after_address: after.address });
    more.push(` AND (${END_TIME}, ${RAW}) > ({after_end:UInt64}, {after_address:String})`);
  }
  return conditions.statement(
    `SELECT ${CONTRACT_SELECT} ${text}${more.join('')} ORDER BY ${END_TIME}, ${RAW} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
  );
}

/** FROM and WHERE of names that their collection names, of some collections. */
function selectNames(source: NameSource, filter: ContractFilter, zones: NameZones) {
  const conditions = contractConditions(source, filter).add("domain != ''");
  // The codes of all collections are a long list: codes of a few zones are read by key.
  const isZone = zones === 'any' ? null : `(account, workchain) IN ${accountSet('zones')}`;
  if (zones !== 'any') conditions.bind(accountParams('zones', zones.map(accountOfRaw)));
  conditions.add(`(parent, parent_workchain, code_hash) IN ${namedCodes(source, 'nft_collection', isZone)}`);
  return { conditions, text: `FROM ${source.database}.contract_states WHERE ${conditions.text}` };
}

function contractConditions({ database, visible }: ContractSource, filter: ContractFilter): Conditions {
  const conditions = new Conditions().bind({ visible_last: visible.last });
  return addWanted(database, filter, conditions).add(`kind IN (${kindList(filter.kinds)})`);
}

function addWanted(database: string, filter: ContractFilter, conditions: Conditions): Conditions {
  if ('addresses' in filter)
    return conditions.add(
      newest(database, `(account, workchain) IN ${accountSet('addresses')}`, filter.withGone),
      accountParams('addresses', filter.addresses),
    );
  if ('party' in filter) {
    const { party, keys } = filter;
    return conditions
      .add(newest(database, partySet(database, party, 'keys')), accountParams('keys', keys))
      .add(`has_${party} AND (${party}, ${party}_workchain) IN ${accountSet('keys')}`);
  }
  const named = `(account, workchain) IN (SELECT account, workchain FROM ${database}.contract_keys WHERE key IN ${hashSet('names')} AND role = 'domain' AND mc_seqno <= {visible_last:UInt32})`;
  return conditions
    .add(newest(database, named), { names: [filter.domainHash] })
    .add('domain = {domain:String}', { domain: filter.domain });
}
