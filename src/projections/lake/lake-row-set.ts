import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { NFT_EVENT_TYPES } from '../../tables/lake/nft-events.ts';
import { TRADE_TYPES } from '../../tables/lake/trades.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { pushNftEvent, pushTrade } from './lake-rows.ts';
import type { LakeRows } from './make-rows.ts';

/** Landing rows. `take`: the rows that were made of records. */
export class LakeRowSet implements RowSet {
  readonly tables;
  readonly #take: (parts: RowParts) => readonly LakeRows[];
  readonly #trades = new TableBuilder('trades', TRADE_TYPES);
  readonly #events = new TableBuilder('nft_events', NFT_EVENT_TYPES);

  constructor(take: (parts: RowParts) => readonly LakeRows[]) {
    this.#take = take;
    this.tables = [this.#trades, this.#events];
  }

  append(parts: RowParts): void {
    for (const rows of this.#take(parts)) this.push(rows);
  }

  push({ trades, events }: LakeRows): void {
    for (const trade of trades) pushTrade(this.#trades, trade);
    for (const event of events) pushNftEvent(this.#events, event);
  }

  reset(): void {
    for (const table of this.tables) table.reset();
  }
}
