import { LRUCache } from 'lru-cache';
import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import { FACT_QUERY } from '../../../facts/read-accounts.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { perOwner } from '../../../platform/memory/on-first-use.ts';
import { MULTISIG_METHODS, SALE_METHODS } from '../../../ton/contracts/codes/kind-methods.ts';
import { methodId } from '../../../ton/contracts/codes/method-id.ts';

/** Get methods of contracts whose facts rules ask for (`FACT_KINDS`). */
const METHODS = [
  ...SALE_METHODS.nft_sale,
  ...SALE_METHODS.nft_auction,
  ...MULTISIG_METHODS.multisig_order,
].map(methodId);
const HAS_METHOD = `arrayExists(i -> reinterpretAsUInt32(substring(methods, i * 4 + 1, 4)) IN (${METHODS.join(', ')}), range(intDiv(length(methods), 4)))`;
/** Codes of one statement: its text stays below the server's `max_query_size`. */
const CODES = 2_000;

/** Codes (base64) of a store, and whether they have one of the methods: the methods of a code do not change. */
const getKnown = perOwner<StoreClient, LRUCache<string, boolean>>(() => new LRUCache({ max: 100_000 }));

/**
 * Codes (base64) under which accounts may be sales, auctions or orders: they have get methods of these, or detection has
 * still to search the code for a dictionary of methods, as it does not begin with one. `store`: database of `contracts`.
 */
export async function readOpenCodes(
  store: StoreDatabase,
  network: string,
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = getKnown(store.client);
  const distinct = [...new Set(codes)];
  const unknown = distinct.filter((code) => !known.has(code));
  const open = new Set(distinct.filter((code) => known.get(code)));
  for (let at = 0; at < unknown.length; at += CODES)
    for (const [code, hasMethod, isSearched] of await read(store, network, unknown.slice(at, at + CODES))) {
      if (isSearched) known.set(code, Boolean(hasMethod));
      if (hasMethod || !isSearched) open.add(code);
    }
  return open;
}

/** Methods of codes that the index has completely. */
async function read({ client, database }: StoreDatabase, network: string, codes: readonly string[]) {
  const meta = metaDatabase(network);
  const isOne = `code_hash IN (${codes.map((code) => `unhex('${Buffer.from(code, 'base64').toString('hex')}')`).join(', ')})`;
  const { rows } = await client.queryRows<[code: string, hasMethod: number, isSearched: number]>(
    `SELECT base64Encode(code_hash), max(${HAS_METHOD}), max(is_searched) FROM (
       SELECT code_hash, methods, notEmpty(methods) AS is_searched FROM ${database}.codes WHERE ${isOne}
       UNION ALL SELECT code_hash, methods, notEmpty(methods) FROM ${meta}.found_codes WHERE ${isOne} AND is_found
       UNION ALL SELECT code_hash, methods, true FROM ${meta}.hidden_methods WHERE ${isOne}
     ) GROUP BY code_hash`,
    { route: 'actions/codes', ...FACT_QUERY, inTurn: true },
  );
  return rows;
}
