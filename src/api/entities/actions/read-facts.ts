import type { Cell } from '../../../ton/cell/cell.ts';
import { PartialCells } from '../../../ton/cell/partial-cells.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import type { AccountFacts } from '../../../ton/contracts/account-facts.ts';
import type { FactsByAddress, KnownFacts, RequestedFacts } from '../../classifier-port.ts';
import { accountOfRaw } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import { cellKey, findRoots } from '../accounts/cell-index.ts';
import { readAccountStates } from '../accounts/find.ts';
import { ZERO_HASH } from '../accounts/none-account.ts';
import { addedTokens, type ContractsSource } from '../tokens/filter.ts';
import { readAccountFacts } from './read-account-facts.ts';
import { readPools } from './read-pools.ts';

/** Data of an account in a state that no served block has. */
export interface UnconfirmedData {
  /** Base64. */
  readonly hash: string;
  /** Perhaps a pruned branch: blocks leave out what they did not change. */
  cell(): Cell;
}

/** By raw address; null for a state without data, undefined for the newest visible state. */
export type FindUnconfirmedData = (address: string) => UnconfirmedData | null | undefined;

/** Facts of each sort that rules ask for, as of the newest visible states or of those that no served block has. */
export async function readFacts(
  scope: ReadScope,
  contracts: ContractsSource,
  requested: RequestedFacts,
  unconfirmed: FindUnconfirmedData,
): Promise<KnownFacts> {
  const [account, data, pool] = await Promise.all([
    readAccountFacts(scope, contracts, requested.account),
    readData(scope, requested.data, unconfirmed),
    readPools(scope, addedTokens(scope, contracts), requested.pool),
  ]);
  return { account, data, pool };
}

/** Roots of the data of accounts, from the first place of their cells: a block omits what its shard had before. */
async function readData(
  scope: ReadScope,
  addresses: readonly string[],
  unconfirmed: FindUnconfirmedData,
): Promise<FactsByAddress> {
  const own = new Map(addresses.map((address) => [address, unconfirmed(address)]));
  const served = addresses.filter((address) => own.get(address) === undefined);
  const states = await readAccountStates(scope, served.map(accountOfRaw));
  const cells = new PartialCells();
  for (const data of own.values()) if (data) cells.add(data.cell());
  const getKey = (address: string): string | null => {
    const data = own.get(address);
    const hash = data === undefined ? states.get(address)?.data_hash : data?.hash;
    return !hash || hash === ZERO_HASH ? null : cellKey(hash);
  };
  await findRoots(
    scope,
    cells,
    addresses.flatMap((address) => getKey(address) ?? []),
  );
  const buildFacts = (address: string): AccountFacts | null => {
    const key = getKey(address);
    const root = key === null ? null : cells.root(key);
    return root && { data: writeBag(root) };
  };
  return new Map(addresses.map((address) => [address, buildFacts(address)]));
}
