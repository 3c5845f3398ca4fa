import { LRUCache } from 'lru-cache';
import { FactBook } from '../../../facts/fact-book.ts';
import type { AccountFacts, FactSort } from '../../../ton/contracts/account-facts.ts';
import type { FactsByAddress, KnownFacts, RequestedFacts } from '../../classifier-port.ts';
import { answerCache, rangeName } from '../../query/answer-cache.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { ContractsSource } from '../tokens/filter.ts';
import { type FindUnconfirmedData, newestStores } from './newest-stores.ts';

/** Retried dead letters add states to visible steps: entries expire after this time, like the response cache. */
const FRESH_MS = 60_000;

/** Facts from stored states by databases, visible ranges, sort and raw address. */
const KNOWN = answerCache(
  () => new LRUCache<string, { readonly facts: AccountFacts | null }>({ max: 20_000, ttl: FRESH_MS }),
);

/**
 * Facts of each sort that rules ask for, as of the newest visible states or of those that no served block has. Uncached
 * accounts take four statements, and one more for wallets and items.
 */
export async function readFacts(
  scope: ReadScope,
  contracts: ContractsSource,
  requested: RequestedFacts,
  unconfirmed: FindUnconfirmedData,
): Promise<KnownFacts> {
  const { last } = contracts.visible;
  const stores = newestStores(scope, contracts, unconfirmed);
  const ranges = `${rangeName(scope.visible)} ${rangeName(contracts.visible)}`;
  const source = `${stores.tokens.database} ${ranges} ${stores.detections?.database} ${stores.detections?.last}`;
  const read = async (sort: FactSort): Promise<FactsByAddress> => {
    const addresses = requested[sort];
    const cache = sort === 'data' ? null : KNOWN(scope);
    const toName = (address: string) => `${source} ${sort} ${address}`;
    const cached = new Map(addresses.map((address) => [address, cache?.get(toName(address))]));
    const open = addresses.filter((address) => !cached.get(address));
    const book = new FactBook(stores, { first: last, last, isNewest: true });
    for (const address of open) book.find(last, sort, address);
    await book.lookUp();
    const found = new Map(open.map((address) => [address, book.find(last, sort, address) ?? null]));
    for (const [address, facts] of found) cache?.set(toName(address), { facts });
    return new Map(
      addresses.map((address) => [address, found.get(address) ?? cached.get(address)?.facts ?? null]),
    );
  };
  const [account, data, pool] = await Promise.all([read('account'), read('data'), read('pool')]);
  return { account, data, pool };
}
