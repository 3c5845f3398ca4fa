import type { RowStart } from '../../engine/projection/row-maker.ts';
import { forgetOldest } from '../tokens/forget-oldest.ts';
import { KnownRows } from '../tokens/known-rows.ts';
import { loadTokens } from '../tokens/load-tokens.ts';
import type { TokenRow } from '../tokens/token-row.ts';
import type { ContractRow } from './contract-row.ts';
import { loadCodes } from './load-codes.ts';
import { loadContracts } from './load-contracts.ts';

const MAX_CODES = 200_000;

/**
 * Last known contracts of one partition. Each row of `token_states` and `contract_states` is a checkpoint of its
 * account: missing state is read from there, as of the confirmed range.
 */
export class KnownAccounts {
  readonly tokens = new KnownRows<TokenRow>();
  readonly contracts = new KnownRows<ContractRow>();
  readonly #start: RowStart;
  /** Codes that have a row, by the position of it. */
  readonly #codes = new Map<string, number>();
  #confirmed: number;

  constructor(start: RowStart) {
    this.#start = start;
    this.#confirmed = start.next - 1;
  }

  confirmed(position: number): void {
    this.#confirmed = Math.max(this.#confirmed, position);
  }

  /** Loads what is not in memory of accounts (`workchain:hex`) and codes (hex). */
  async load(accounts: Iterable<string>, codes: Iterable<string>): Promise<void> {
    this.#evict();
    const names = new Set(accounts);
    const tokens = this.tokens.missing(names);
    const contracts = this.contracts.missing(names);
    const unknown = [...new Set(codes)].filter((code) => !this.#codes.has(code));
    const isEmpty = this.#confirmed < 0;
    const [tokenRows, contractRows, codeRows] = isEmpty
      ? [[], [], []]
      : await Promise.all([
          loadTokens(this.#start, tokens, { upTo: this.#confirmed, by: 'account' }),
          loadContracts(this.#start, contracts, this.#confirmed),
          loadCodes(this.#start, unknown, this.#confirmed),
        ]);
    this.tokens.load(tokens, tokenRows);
    this.contracts.load(contracts, contractRows);
    for (const code of codeRows) this.#codes.set(code, -1);
  }

  /** Whether the code has no row yet; it gets one now. */
  isNewCode(code: string, position: number): boolean {
    if (this.#codes.has(code)) return false;
    this.#codes.set(code, position);
    return true;
  }

  /** Forgets what can be read again. */
  #evict(): void {
    this.tokens.evict(this.#confirmed);
    this.contracts.evict(this.#confirmed);
    forgetOldest(this.#codes, MAX_CODES, (position) => position <= this.#confirmed);
  }
}
