import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { HIDDEN_METHODS } from '../../tables/meta/cells.ts';
import { writtenTypes } from '../../tables/table.ts';
import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { findHiddenMethods } from '../../ton/contracts/codes/hidden-methods.ts';
import { packMethods } from '../../ton/contracts/codes/pack-methods.ts';
import type { FindCells } from './code-search.ts';
import type { DetectionStore } from './detection.ts';

/** Codes that are looked at together. */
const PAGE = 500;
const QUERY = { route: 'contracts/hidden-methods', ...RANGE_QUERY } as const;

/** A code without methods at its start, and its cell or library target; lower-case hex. */
type CodeValues = readonly [code: string, cell: string];

/** Searches codes that do not start with their methods, each once; afterwards their accounts are queued. */
export class HiddenMethodSearch {
  readonly #store: DetectionStore;
  readonly #find: FindCells;

  constructor(store: DetectionStore, find: FindCells) {
    this.#store = store;
    this.#find = find;
  }

  async pass(): Promise<void> {
    for (let after = ''; ; ) {
      const codes = await this.#read(after);
      await this.#search(codes);
      if (codes.length < PAGE) return;
      after = codes.at(-1)![0];
    }
  }

  /** Codes above `after`, ascending, that were not searched yet. */
  async #read(after: string): Promise<readonly CodeValues[]> {
    const { client, network, contracts } = this.#store;
    const meta = metaDatabase(network);
    const bare = `NOT is_known AND methods = ''`;
    const { rows } = await client.queryRows<[...CodeValues]>(
      `SELECT lower(hex(code_hash)) AS code, lower(hex(any(cell))) FROM (
         SELECT code_hash, code_hash AS cell FROM ${contracts}.codes WHERE ${bare} UNION ALL
         SELECT code_hash, if(library = toFixedString('', 32), code_hash, library) AS cell FROM ${meta}.found_codes WHERE is_found AND ${bare})
       WHERE code_hash > toFixedString(unhex({after:String}), 32) AND code_hash NOT IN (SELECT code_hash FROM ${meta}.hidden_methods)
       GROUP BY code_hash ORDER BY code_hash LIMIT ${PAGE}`,
      { ...QUERY, params: { after }, maxRows: PAGE },
    );
    return rows;
  }

  async #search(codes: readonly CodeValues[]): Promise<void> {
    if (codes.length === 0) return;
    const bags = await this.#find(codes.map(([, cell]) => cell));
    const table = new TableBuilder(HIDDEN_METHODS.name, writtenTypes(HIDDEN_METHODS));
    const { col } = table;
    for (const [code, cell] of codes) {
      const bag = bags.get(cell);
      // The index no longer has it: it is looked for again.
      if (!bag) continue;
      const boc = parseBoc(bag);
      col.code_hash.push(Buffer.from(code, 'hex'));
      col.is_known.push(false);
      col.methods.push(packMethods(findHiddenMethods(boc, onlyRoot(boc))));
      table.endRow();
    }
    const { client, network } = this.#store;
    const target = `${metaDatabase(network)}.hidden_methods`;
    if (table.rows > 0) await client.insertNative(target, encodeNativeBlock(table), QUERY);
  }
}
