import type { RowMaker, RowStart } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import type { StoreDatabase } from '../../engine/projection/stored-input.ts';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { unpackRecords } from '../records/pack-records.ts';
import { SCHEMAS } from '../records/schemas.ts';
import type { ActionFact, TransactionFact } from './action-fact.ts';
import { LAKE_TABLES } from './lake-columns.ts';
import { pushMint, pushNftEvent, pushTrade } from './lake-rows.ts';
import type { NftEvent } from './nft-event.ts';
import { readActions, readStates, readTransactions } from './read-facts.ts';
import { type Mint, toMint } from './to-mint.ts';
import { getAccounts, NFT_ACTIONS, toNftEvent } from './to-nft-event.ts';
import { toTrades } from './to-trades.ts';
import type { Trade } from './trade.ts';

/** Steps whose actions are read by one statement: their transactions are in memory together. */
const MAX_STEPS = 128;
const SWAP = 'jetton_swap';
const MINT = 'jetton_mint';
const PURCHASE = 'nft_purchase';
const TYPES = [SWAP, MINT, ...NFT_ACTIONS];

/** Names of the projections that facts are read from. */
export interface LakeSourceNames {
  readonly chain: string;
  readonly tokens: string;
  readonly actions: string;
}

/** Rows of steps. */
interface LakeRows {
  readonly trades: readonly Trade[];
  readonly events: readonly NftEvent[];
  readonly mints: readonly Mint[];
}

/** Rows of finished traces, from their actions and the messages of these. Stateless: rows follow from a step and the facts after it. */
export class LakeMaker implements RowMaker {
  readonly #start: RowStart;
  readonly #names: LakeSourceNames;
  readonly #codec = new AvroCodec(loadSchemas(SCHEMAS));
  /** Rows that were made ahead of `append`. */
  readonly #made = new WeakMap<RowParts, readonly LakeRows[]>();

  constructor(start: RowStart, names: LakeSourceNames) {
    this.#start = start;
    this.#names = names;
  }

  createRowSet = (): RowSet => new LakeRowSet((parts) => this.#take(parts));

  async prepare(parts: readonly RowParts[]): Promise<void> {
    for (const some of parts) {
      if (this.#made.has(some)) continue;
      const steps = unpackRecords(some).map((record) =>
        Number(this.#codec.decodeAs('finished-traces', record).value.mc_seqno),
      );
      const made: LakeRows[] = [];
      for (let at = 0; at < steps.length; at += MAX_STEPS)
        made.push(await this.#make(steps.slice(at, at + MAX_STEPS)));
      this.#made.set(some, made);
    }
  }

  confirmed(): void {}

  async #make(steps: readonly number[]): Promise<LakeRows> {
    const range = { first: Math.min(...steps), last: Math.max(...steps) };
    const own = new Set(steps);
    const { chain, tokens, actions } = await this.#stores(range.last);
    const found = (await readActions(actions, TYPES, range)).filter(({ position }) => own.has(position));
    if (found.length === 0) return { trades: [], events: [], mints: [] };
    const isNft = ({ type }: ActionFact) => type !== SWAP && type !== MINT;
    const accounts = found.filter(isNft).flatMap(getAccounts);
    const hashes = found.flatMap(({ txHashes }) => txHashes);
    const [transactions, states] = await Promise.all([
      readTransactions(chain, hashes),
      readStates(tokens, accounts, range.last),
    ]);
    const sold = new Set(found.filter(({ type }) => type === PURCHASE).map(({ traceId }) => traceId));
    const getOwn = (action: ActionFact): readonly TransactionFact[] =>
      action.txHashes.flatMap((hash) => transactions.get(hash) ?? []);
    const ofType = (type: string) => found.filter((action) => action.type === type);
    return {
      trades: ofType(SWAP).flatMap((action) => toTrades(action, getOwn(action))),
      events: found.filter(isNft).flatMap((action) => {
        const isSold = sold.has(action.traceId);
        return toNftEvent(action, { transactions: getOwn(action), states, isSold }) ?? [];
      }),
      mints: ofType(MINT).flatMap((action) => toMint(action, getOwn(action)) ?? []),
    };
  }

  async #stores(last: number): Promise<Readonly<Record<keyof LakeSourceNames, StoreDatabase>>> {
    const { client, needed, database } = this.#start;
    if (!needed)
      throw new TypeError(`${database}: rows of the lake are made with facts of other projections`);
    const store = async (name: string) => ({ client, database: await needed.databaseWith(name, last) });
    const { chain, tokens, actions } = this.#names;
    const [one, two, three] = await Promise.all([store(chain), store(tokens), store(actions)]);
    return { chain: one, tokens: two, actions: three };
  }

  #take(parts: RowParts): readonly LakeRows[] {
    const found = this.#made.get(parts);
    if (!found) throw new TypeError('rows of the lake are prepared before they are appended');
    return found;
  }
}

class LakeRowSet implements RowSet {
  readonly tables;
  readonly #take: (parts: RowParts) => readonly LakeRows[];
  readonly #trades = new TableBuilder('trades', LAKE_TABLES.trades);
  readonly #events = new TableBuilder('nft_events', LAKE_TABLES.nft_events);
  readonly #mints = new TableBuilder('mints', LAKE_TABLES.mints);

  constructor(take: (parts: RowParts) => readonly LakeRows[]) {
    this.#take = take;
    this.tables = [this.#trades, this.#events, this.#mints];
  }

  append(parts: RowParts): void {
    for (const { trades, events, mints } of this.#take(parts)) {
      for (const trade of trades) pushTrade(this.#trades, trade);
      for (const event of events) pushNftEvent(this.#events, event);
      for (const mint of mints) pushMint(this.#mints, mint);
    }
  }

  reset(): void {
    for (const table of this.tables) table.reset();
  }
}
