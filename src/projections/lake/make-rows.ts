import type { RowStart } from '../../engine/projection/row-maker.ts';
import type { StoreDatabase } from '../../engine/projection/stored-input.ts';
import type { ActionFact, TransactionFact } from './action-fact.ts';
import type { NftEvent } from './nft-event.ts';
import { readActions, readStates, readTransactions } from './read-facts.ts';
import { readTradeTraces } from './read-trade-traces.ts';
import { getAccounts, NFT_ACTIONS, toNftEvent } from './to-nft-event.ts';
import { toTracedTrades } from './to-traced-trades.ts';
import { toTrades } from './to-trades.ts';
import type { Trade } from './trade.ts';

const SWAP = 'jetton_swap';
const PURCHASE = 'nft_purchase';
const TYPES = [SWAP, ...NFT_ACTIONS];

/** Names of the projections that facts are read from. */
export interface LakeSourceNames {
  readonly chain: string;
  readonly traces: string;
  readonly tokens: string;
  readonly actions: string;
}

/** The version that is written, and how facts of others are found. */
export type LakeSources = Pick<RowStart, 'client' | 'database' | 'needed'>;

/** Rows of steps. */
export interface LakeRows {
  readonly trades: readonly Trade[];
  readonly events: readonly NftEvent[];
}

/** Rows of some steps, from their actions and the messages of these, as of the last of them. */
export async function makeRows(
  start: LakeSources,
  names: LakeSourceNames,
  steps: readonly number[],
): Promise<LakeRows> {
  const range = { first: Math.min(...steps), last: Math.max(...steps) };
  const own = new Set(steps);
  const stores = await openStores(start, names, range.last);
  const [all, traces] = await Promise.all([
    readActions(stores.actions, TYPES, range),
    readTradeTraces(stores, range),
  ]);
  const logged = traces.filter(({ position }) => own.has(position)).flatMap(toTracedTrades);
  const found = all.filter(({ position }) => own.has(position));
  if (found.length === 0) return { trades: logged, events: [] };
  const isNft = ({ type }: ActionFact) => NFT_ACTIONS.includes(type);
  const accounts = found.filter(isNft).flatMap(getAccounts);
  const hashes = found.flatMap(({ txHashes }) => txHashes);
  const [transactions, states] = await Promise.all([
    readTransactions(stores.chain, hashes),
    readStates(stores.tokens, accounts, range.last),
  ]);
  const sold = new Set(found.filter(({ type }) => type === PURCHASE).map(({ traceId }) => traceId));
  const getOwn = (action: ActionFact): readonly TransactionFact[] =>
    action.txHashes.flatMap((hash) => transactions.get(hash) ?? []);
  const ofType = (type: string) => found.filter((action) => action.type === type);
  return {
    trades: [...ofType(SWAP).flatMap((action) => toTrades(action, getOwn(action))), ...logged],
    events: found.filter(isNft).flatMap((action) => {
      const isSold = sold.has(action.traceId);
      return toNftEvent(action, { transactions: getOwn(action), states, isSold }) ?? [];
    }),
  };
}

async function openStores(
  { client, needed, database }: LakeSources,
  names: LakeSourceNames,
  last: number,
): Promise<Readonly<Record<keyof LakeSourceNames, StoreDatabase>>> {
  if (!needed) throw new TypeError(`${database}: rows of the lake are made with facts of other projections`);
  const store = async (name: string) => ({ client, database: await needed.databaseWith(name, last) });
  const [chain, traces, tokens, actions] = await Promise.all(
    [names.chain, names.traces, names.tokens, names.actions].map(store),
  );
  return { chain: chain!, traces: traces!, tokens: tokens!, actions: actions! };
}
