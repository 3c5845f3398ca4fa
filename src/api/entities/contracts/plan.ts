import type { ContractKind } from '../../../ton/contracts/contract-state.ts';
import { type AccountId, accountOfRaw } from '../../query/account-id.ts';
import { hasIdAmong, isAmong, isIn, toHash, toRawSet } from '../../query/keys.ts';
import { type Page, toLimit } from '../../query/page.ts';
import { and, i32, identifier, type Sql, sql, text, u64, unsafeSql } from '../../query/sql.ts';
import { isKind, isVisible, namedCodes, type TokenSource } from '../tokens/filter.ts';
import {
  type ContractFilter,
  type LedAuctions,
  NAMES,
  type NameFilter,
  type NamePlace,
  type NamesPage,
  type NameZones,
  TRIED,
} from './filter.ts';
import { CONTRACT_SELECT, DETECTED_SELECT } from './model.ts';
import { detectedContracts, isKeyed, isNewest, isOfParty } from './sold-items.ts';

/** Contracts among accounts by their newest visible states, by account. */
export function planContracts(
  source: TokenSource,
  filter: ContractFilter & { readonly addresses: readonly AccountId[] },
): Sql {
  const known = sql`SELECT ${CONTRACT_SELECT} FROM ${identifier(source.database, 'contract_states')} WHERE ${isWanted(source, filter)}`;
  const tried = filter.kinds.filter((kind) => TRIED.includes(kind));
  if (source.detected === null || tried.length === 0) return sql`${known} ORDER BY account, workchain`;
  const found = detectedContracts(source, source.detected, isIn(filter.addresses));
  return sql`SELECT * FROM (${known} UNION ALL SELECT ${DETECTED_SELECT} FROM ${found} AND ${isKind(...tried)}) ORDER BY 2, 1`;
}

/** Accounts (workchain, hex) among some that are or were contracts of some kinds: nearly none of those that are asked for. */
export function planOnce(table: Sql, kinds: readonly ContractKind[], accounts: readonly AccountId[]): Sql {
  return sql`SELECT DISTINCT workchain, hex(account) FROM ${table} PREWHERE ${hasIdAmong(accounts)} AND ${isKind(...kinds)}`;
}

/** Names by their newest visible states, the shortest first: those that their collection names, of some collections. */
export function planNames(
  source: TokenSource,
  filter: NameFilter,
  zones: NameZones,
  { page, after }: NamesPage,
): Sql {
  const { detected } = source;
  const known = sql`SELECT ${CONTRACT_SELECT} ${selectNames(source, filter, zones, after)}`;
  const rows = detected
    ? sql`SELECT * FROM (${known} UNION ALL SELECT ${DETECTED_SELECT} ${detectedNames(source, detected, filter, { zones, after })})`
    : known;
  return sql`${rows} ORDER BY length(domain), domain, ${unsafeSql(detected ? '2' : 'account')}, workchain ${toLimit(page)}`;
}

/** Text of a detected name, as in DETECTED_SELECT. */
const DETECTED_DOMAIN = sql`JSONExtractString(details, 'domain')`;
const DOMAIN = sql`domain`;

/** Condition: a name is after a position. `column`: expression of its text. */
function isAfterName(place: NamePlace | null, column: Sql): Sql | null {
  if (!place) return null;
  const domain = text(place.domain);
  return sql`(length(${column}), ${column}, account, workchain) > (length(${domain}), ${domain}, unhex(${text(place.account)}), ${i32(place.workchain)})`;
}

/** FROM and WHERE of detected names, confirmed by the collection. */
function detectedNames(
  source: TokenSource,
  detected: string,
  filter: NameFilter,
  { zones, after }: { readonly zones: NameZones; readonly after: NamePlace | null },
): Sql {
  const byWallet = 'party' in filter;
  const isKey = byWallet
    ? sql`${isIn(filter.keys, 'key')} AND role = 'wallet'`
    : sql`key = ${toHash(filter.domainHash)} AND role = 'domain'`;
  const once = sql`(account, workchain) IN (SELECT account, workchain FROM ${identifier(detected, 'detected_contract_keys')} WHERE ${isKey})`;
  const isStill = byWallet
    ? sql`JSONExtractString(details, 'dns_wallet') IN ${toRawSet(filter.keys)}`
    : sql`${DETECTED_DOMAIN} = ${text(filter.domain)}`;
  const more = and(
    isKind(...filter.kinds),
    isStill,
    zones !== 'any' && isIn(zones.map(accountOfRaw), 'parent'),
    isAfterName(after, DETECTED_DOMAIN),
  );
  return sql`FROM ${detectedContracts(source, detected, once)} AND ${more}`;
}

/** Accounts that were the wallet of a name once: workchain, account. */
export function planWallets(source: TokenSource, keys: readonly AccountId[]): Sql {
  return sql`SELECT DISTINCT key_workchain, hex(key) FROM ${identifier(source.database, 'contract_keys')} PREWHERE ${isAmong(keys, 'key')} AND role = 'wallet' AND ${isVisible(source)}`;
}

/** The shortest name of each of some accounts that owns it and is its wallet: the account's raw address, the name. */
export function planDomains(source: TokenSource, keys: readonly AccountId[], zones: NameZones): Sql {
  const names = selectNames(source, { kinds: NAMES, party: 'wallet', keys }, zones);
  return sql`SELECT concat(toString(wallet_workchain), ':', hex(wallet)), domain ${names} AND has_owner AND owner = wallet AND owner_workchain = wallet_workchain ORDER BY length(domain), domain LIMIT 1 BY wallet, wallet_workchain`;
}

const END_TIME = sql`toUInt64OrZero(JSONExtractString(details, 'auction_end_time'))`;
const RAW = sql`concat(toString(workchain), ':', hex(account))`;

/** Names of `LedAuctions`, a page of them. */
export function planLedAuctions(
  source: TokenSource,
  { bidder, isRunning, now, after }: LedAuctions,
  zones: NameZones,
  page: Page,
): Sql {
  const names = selectNames(source, { kinds: ['dns_item'], party: 'bidder', keys: [bidder] }, zones);
  const end = u64(String(now));
  const wanted = and(
    names,
    isRunning !== null && (isRunning ? sql`${END_TIME} > ${end}` : sql`${END_TIME} <= ${end}`),
    after && sql`(${END_TIME}, ${RAW}) > (${u64(after.endTime)}, ${text(after.address)})`,
  );
  return sql`SELECT ${CONTRACT_SELECT} ${wanted} ORDER BY ${END_TIME}, ${RAW} ${toLimit(page)}`;
}

/** FROM and WHERE of names that their collection names, of some collections, after a position. */
function selectNames(
  source: TokenSource,
  filter: NameFilter,
  zones: NameZones,
  after: NamePlace | null = null,
): Sql {
  // The codes of all collections are a long list: codes of a few zones are read by key.
  const codes = namedCodes(source, 'nft_collection', zones === 'any' ? null : isIn(zones.map(accountOfRaw)));
  const wanted = and(
    isWanted(source, filter),
    sql`domain != '' AND (parent, parent_workchain, code_hash) IN ${codes}`,
    isAfterName(after, DOMAIN),
  );
  return sql`FROM ${identifier(source.database, 'contract_states')} WHERE ${wanted}`;
}

/** Condition: a row is the newest state of a wanted contract. */
function isWanted(source: TokenSource, filter: ContractFilter): Sql {
  const kind = isKind(...filter.kinds);
  if ('addresses' in filter) return and(isNewest(source, isIn(filter.addresses)), kind);
  if ('party' in filter) {
    const { party, keys } = filter;
    const isParty = and(identifier(`has_${party}`), isIn(keys, party));
    return and(isNewest(source, isOfParty(source, party, keys)), isParty, kind);
  }
  const isNamed = isKeyed(source, sql`key = ${toHash(filter.domainHash)} AND role = 'domain'`);
  return and(isNewest(source, isNamed), sql`domain = ${text(filter.domain)}`, kind);
}
