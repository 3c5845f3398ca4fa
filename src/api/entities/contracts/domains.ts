import { LRUCache } from 'lru-cache';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { perOwner } from '../../../platform/memory/on-first-use.ts';
import { CONTRACT_KEY_TARGET } from '../../../tables/contract-states.ts';
import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import { parts } from '../../query/keys.ts';
import { getLookUps, isAbsent, knowsAllUpTo } from '../../query/look-ups.ts';
import type { RawRow, ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { type TokenSource, tokenSource } from '../tokens/filter.ts';
import { nameZones } from './name-zones.ts';
import { planDomains, planWallets } from './plan.ts';

const WALLETS = getLookUp(CONTRACT_KEY_TARGET, 'name_of_wallet');
const toWalletKey = keyBuilder(WALLETS);

/** How long the name of an account counts as its newest, milliseconds: as long as its code does in an address book. */
const FRESH_MS = 60_000;
/** Names of a store by database and raw address; empty for none. Some 20 MB when full. */
const getKnown = perOwner<StoreClient, LRUCache<string, string>>(
  () => new LRUCache({ max: 100_000, ttl: FRESH_MS }),
);

/**
 * The shortest name of each account that owns it and is its wallet, by raw address, if the projection `contracts` is
 * available; accounts without one are absent. One statement for values outside the cache and the look-up index.
 */
export async function readDomains(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, string>> {
  const source = getSource(scope);
  if (!source || accounts.length === 0) return new Map();
  const known = getKnown(scope.context.client);
  const toKey = (raw: string) => `${source.database} ${raw}`;
  const wanted = new Map(accounts.map((account) => [rawAddress(account), account]));
  const unknown = [...wanted].filter(([raw]) => known.get(toKey(raw)) === undefined);
  const names = await readNames(
    scope,
    unknown.map(([, account]) => account).filter(mayBeWallet(scope, source)),
  );
  for (const [raw] of unknown) known.set(toKey(raw), names.get(raw) ?? '');
  const found = [...wanted.keys()].map((raw) => [raw, known.get(toKey(raw)) ?? ''] as const);
  return new Map(found.filter(([, domain]) => domain !== ''));
}

/** Names by raw address. */
type Names = ReadonlyMap<string, string>;

const NAMES = new SharedLookUp<Names>((scope, addresses) => readParts(scope, addresses.map(accountOfRaw)));

async function readNames(scope: ReadScope, accounts: readonly AccountId[]): Promise<Names> {
  if (accounts.length === 0) return new Map();
  return NAMES.find(scope, accounts.map(rawAddress));
}

async function readParts(scope: ReadScope, accounts: readonly AccountId[]): Promise<Names> {
  const source = getSource(scope);
  const names = new Map<string, string>();
  const zones = nameZones(scope.context.network.label);
  if (!source) return names;
  for (const some of parts(accounts)) {
    // Almost no account is the wallet of a name: a simple statement shows whether it ever was.
    const once = (await scope.query(planWallets(source, some))).map(accountOfRow);
    if (once.length === 0) continue;
    const rows = await scope.query(planDomains(source, once, zones));
    for (const [raw, domain] of rows) names.set(String(raw), String(domain));
  }
  return names;
}

/** True if an account was the wallet of a name once, or if the look-up index does not know that it was not. */
function mayBeWallet(
  { context }: ReadScope,
  { database, visible }: TokenSource,
): (account: AccountId) => boolean {
  const lookUps = getLookUps({ context }, database, WALLETS.lookUp.name);
  if (!lookUps || !knowsAllUpTo(lookUps, visible)) return () => true;
  return ({ hash, workchain }) =>
    !isAbsent(lookUps, WALLETS.lookUp.name, toWalletKey(Buffer.from(hash, 'hex'), workchain), visible);
}

function accountOfRow([workchain, hash]: RawRow): AccountId {
  return { workchain: Number(workchain), hash: String(hash) };
}

/** `null` if `contracts` cannot be read. */
function getSource({ databases, visible, added, context }: ReadScope): TokenSource | null {
  const own = (databases as Readonly<Record<string, string>>).contracts;
  const source = own === undefined ? added.contracts : { database: own, visible };
  if (!source) return null;
  return tokenSource({ databases: { contracts: source.database }, visible: source.visible, context });
}
