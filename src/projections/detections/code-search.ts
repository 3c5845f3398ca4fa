import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { UnavailableError } from '../../platform/errors/error-kinds.ts';
import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { readLibraryHash } from '../../ton/contracts/codes/library-code.ts';
import { readMethodIds } from '../../ton/contracts/codes/method-ids.ts';
import type { DetectionStore } from './detection.ts';
import { type FoundCode, writeFoundCodes } from './found-codes.ts';

/** Cells could not be read in time, which proves nothing about them: the search is to be made again. */
export class CellsNotReadError extends UnavailableError {
  constructor(count: number, cause: unknown) {
    super(`${count} cells were not read: the store has too much work`, { cause });
  }
}

/**
 * Finds cells of the index by hash (lower-case hex): those that it has whole, each as a bag.
 * @throws CellsNotReadError if the store has too much work
 */
export type FindCells = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

/** Masterchain steps, both inclusive. */
interface StepRange {
  readonly first: number;
  readonly last: number;
}

/** Codes that are looked up at a time. */
const PAGE = 500;
/** Between two looks for what was nowhere, milliseconds: a library may be published, or fetched. */
const RETRY_MS = 60_000;
/** Looking takes a hundredth of the time at most, however many are nowhere. */
const RETRY_SHARE = 100;
const QUERY = { route: 'contracts/found-codes', ...RANGE_QUERY } as const;

/**
 * Looks up codes that no state shows completely: library cells with their targets, and codes that a mid-chain index got
 * later.
 */
export class CodeSearch {
  readonly #store: DetectionStore;
  readonly #find: FindCells;
  /** Codes that were nowhere. */
  readonly #absent = new Set<string>();
  #done = -1;
  #retryAt = 0;

  constructor(store: DetectionStore, find: FindCells) {
    this.#store = store;
    this.#find = find;
  }

  /** Looks for codes of accounts whose newest state came with a step up to `last`. */
  async pass(last: number): Promise<void> {
    const began = Date.now();
    const isRetry = began >= this.#retryAt;
    if (isRetry) for (const codes of pages([...this.#absent])) await this.#search(codes);
    for (let after = ''; ; ) {
      const codes = await this.#readNew({ first: this.#done + 1, last }, after);
      await this.#search(codes);
      if (codes.length < PAGE) break;
      after = codes.at(-1) as string;
    }
    this.#done = last;
    if (isRetry) this.#retryAt = Date.now() + Math.max(RETRY_MS, RETRY_SHARE * (Date.now() - began));
  }

  async #search(codes: readonly string[]): Promise<void> {
    if (codes.length === 0) return;
    const bags = await this.#find(codes);
    const libraries = new Map<string, string>();
    const found: FoundCode[] = [];
    for (const [code, bag] of bags) {
      const boc = parseBoc(bag);
      const library = readLibraryHash(boc, onlyRoot(boc));
      if (library) libraries.set(code, Buffer.from(library).toString('hex'));
      else found.push({ code, library: null, methods: readMethodIds(boc, onlyRoot(boc)) });
    }
    found.push(...(await this.#follow(libraries)));
    const isNew = found.filter(({ code, methods }) => methods !== null || !this.#absent.has(code));
    await writeFoundCodes(this.#store.client, this.#store.network, isNew);
    for (const code of codes) this.#absent.add(code);
    for (const { code, methods } of found) if (methods !== null) this.#absent.delete(code);
  }

  /** `libraries`: hashes of the targets of library cells, by the library cell's hash. */
  async #follow(libraries: ReadonlyMap<string, string>): Promise<FoundCode[]> {
    if (libraries.size === 0) return [];
    const bags = await this.#find([...new Set(libraries.values())]);
    return [...libraries].map(([code, library]) => {
      const bag = bags.get(library);
      const boc = bag && parseBoc(bag);
      return { code, library, methods: boc ? readMethodIds(boc, onlyRoot(boc)) : null };
    });
  }

  /** Codes above `after`, ascending, of which neither the projection nor a former search knows the methods. */
  async #readNew({ first, last }: StepRange, after: string): Promise<string[]> {
    if (first > last) return [];
    const { client, network, states, contracts } = this.#store;
    const { rows } = await client.queryRows<[string]>(
      `SELECT DISTINCT lower(hex(code_hash)) AS code FROM ${states}.accounts_latest
       WHERE mc_seqno BETWEEN ${first} AND ${last} AND status = 'active'
         AND code_hash > toFixedString(unhex({after:String}), 32)
         AND code_hash NOT IN (SELECT code_hash FROM ${contracts}.codes)
         AND code_hash NOT IN (SELECT code_hash FROM ${metaDatabase(network)}.found_codes WHERE is_found)
       ORDER BY code LIMIT ${PAGE}`,
      { ...QUERY, params: { after }, maxRows: PAGE },
    );
    return rows.map(([code]) => code);
  }
}

function* pages(codes: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < codes.length; at += PAGE) yield codes.slice(at, at + PAGE);
}
