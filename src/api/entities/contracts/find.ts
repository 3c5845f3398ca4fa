import type { ContractKind } from '../../../ton/contracts/contract-state.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';
import { type AccountId, accountOfRaw, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { parts } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { identifier, type Sql } from '../../query/sql.ts';
import { type TokenSource, tokenSource } from '../tokens/filter.ts';
import type { TokenRow } from '../tokens/model.ts';
import { type LedAuctions, NAMES, type NameFilter, type NamesPage, TRIED } from './filter.ts';
import { mayBeContract } from './indexed-contracts.ts';
import { type ContractRow, contractRow } from './model.ts';
import { isZone, nameZones } from './name-zones.ts';
import { planContracts, planLedAuctions, planNames, planOnce } from './plan.ts';
import { SELLING } from './sold-items.ts';

type ContractScope = Pick<ReadScope<'contracts'>, 'databases' | 'visible' | 'query' | 'context'>;

/** Sales, auctions and names among accounts. */
export async function readContractsOfAccounts(
  scope: ContractScope,
  kinds: readonly ContractKind[],
  accounts: readonly AccountId[],
): Promise<readonly ContractRow[]> {
  const source = tokenSource(scope);
  const distinct = distinctAccounts(accounts).filter(mayBeContract(scope, source));
  if (distinct.length === 0) return [];
  const pages = parts(distinct).map(async (some) => {
    const addresses = await findOnce(scope, source, kinds, some);
    if (addresses.length === 0) return [];
    return (await scope.query(planContracts(source, { kinds, addresses }))).map(contractRow);
  });
  return (await Promise.all(pages)).flat();
}

/** Accounts that are or were contracts of some kinds, in their order. */
async function findOnce(
  scope: ContractScope,
  { database, detected }: TokenSource,
  kinds: readonly ContractKind[],
  accounts: readonly AccountId[],
): Promise<readonly AccountId[]> {
  const tried = kinds.filter((kind) => TRIED.includes(kind));
  const tables: (readonly [Sql, readonly ContractKind[]])[] = [
    [identifier(database, 'contract_states'), kinds],
  ];
  if (detected !== null && tried.length > 0) tables.push([identifier(detected, 'detected_contracts'), tried]);
  const rows = await Promise.all(tables.map(([table, some]) => scope.query(planOnce(table, some, accounts))));
  const once = new Set(
    rows.flat().map(([workchain, hash]) => rawAddress({ workchain: Number(workchain), hash: String(hash) })),
  );
  return accounts.filter((account) => once.has(rawAddress(account)));
}

/** Sales and auctions among accounts, by raw address. */
export async function readSellers(
  scope: ContractScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, ContractRow>> {
  const rows = await readContractsOfAccounts(scope, SELLING, accounts);
  return new Map(rows.map((row) => [row.address, row]));
}

/** Full names of the items among tokens that are names, by raw address. One statement if there are items. */
export async function readItemDomains(
  scope: ContractScope,
  tokens: readonly TokenRow[],
): Promise<ReadonlyMap<string, string>> {
  const zones = nameZones(scope.context.network.label);
  const items = tokens.filter(({ kind, parent }) => kind === 'nft_item' && isZone(zones, parent));
  const accounts = items.map(({ address }) => accountOfRaw(address));
  const names = (await readContractsOfAccounts(scope, NAMES, accounts)).filter(({ domain }) => domain !== '');
  return new Map(names.map(({ address, domain }) => [address, domain]));
}

/** Names whose record `wallet` is one of some accounts, the shortest first. */
export async function readNamesOfWallets(
  scope: ContractScope,
  keys: readonly AccountId[],
  page: NamesPage,
): Promise<readonly ContractRow[]> {
  return readNames(scope, { kinds: NAMES, party: 'wallet', keys }, page);
}

/** The names that are this one: two collections may have it on a chain of our own. */
export async function readNamesOfDomain(
  scope: ContractScope,
  domain: string,
  page: NamesPage,
): Promise<readonly ContractRow[]> {
  const domainHash = toHex(sha256(new TextEncoder().encode(domain)));
  return readNames(scope, { kinds: NAMES, domainHash, domain }, page);
}

/** Names in whose auction an account leads. */
export async function readLedAuctions(
  scope: ContractScope,
  led: LedAuctions,
  page: Page,
): Promise<readonly ContractRow[]> {
  const zones = nameZones(scope.context.network.label);
  return (await scope.query(planLedAuctions(tokenSource(scope), led, zones, page))).map(contractRow);
}

async function readNames(
  scope: ContractScope,
  filter: NameFilter,
  page: NamesPage,
): Promise<readonly ContractRow[]> {
  const zones = nameZones(scope.context.network.label);
  return (await scope.query(planNames(tokenSource(scope), filter, zones, page))).map(contractRow);
}
