import type {
  AccountFacts,
  JettonWalletFact,
  NftAuctionFact,
  NftItemFact,
  NftSaleFact,
  PoolFact,
} from '../../../ton/contracts/account-facts.ts';
import { needed } from '../body/refusal.ts';
import type { Problem } from '../model/action.ts';
import { type ContractFacts, hasCustomCode } from '../model/contract-facts.ts';
import type { Trace } from '../model/trace.ts';
import type { Block } from '../tree/block.ts';
import { type Merge, merge } from '../tree/merge.ts';
import { presentBlocks } from '../tree/trace-tree.ts';
import type { Mark } from './pattern.ts';

/** Release of the rules: `1.3` changed some of them (section 12 of v3-actions-rules). */
export type RulesRelease = '1.2' | '1.3';

/** Which rules hold. */
export interface Rules {
  readonly release: RulesRelease;
  /** Known contracts of testnet instead of mainnet. */
  readonly isTestnet: boolean;
}

/** Trace, rules and facts that builds ask for, and the merge of blocks: one for each classification. */
export class Context {
  readonly trace: Trace;
  readonly rules: Rules;
  /** Blocks without a previous one. */
  readonly roots: Block[];
  readonly problems: Problem[] = [];
  /** Name of the matcher that runs. */
  matcher = '';
  private readonly facts: ContractFacts;
  /** Kinds and ops of all blocks that there have been: a merged block has the op of one of its parts. */
  private readonly marks = new Set<Mark | null>();

  constructor(trace: Trace, roots: Block[], facts: ContractFacts, rules: Rules) {
    this.trace = trace;
    this.roots = roots;
    this.facts = facts;
    this.rules = rules;
    for (const { kind, opcode } of presentBlocks(roots)) this.marks.add(kind.name).add(opcode);
  }

  /** Whether a pattern that begins at a block with one of the marks may find one; null: at any block. */
  mayMatch(marks: readonly Mark[] | null): boolean {
    return marks === null || marks.some((mark) => this.marks.has(mark));
  }

  /**
   * Merges blocks into one of the kind.
   * @throws Refusal: they do not hang together
   */
  merge<D>(what: Merge<D>): Block {
    this.marks.add(what.kind.name);
    return merge(this.roots, what) as Block;
  }

  /** All facts of an account; null where nothing is known, and for no account. */
  account(address: string | null): AccountFacts | null {
    return address === null ? null : this.facts.of(address);
  }

  /** True if the account's code is known to be none of those whose data is read from cells. */
  isCustomCode(address: string | null): boolean {
    return hasCustomCode(this.account(address));
  }

  jettonWallet(address: string | null): JettonWalletFact | null {
    return this.account(address)?.jettonWallet ?? null;
  }

  /**
   * The wallet's facts, without which the rule gives no action.
   * @throws Refusal
   */
  neededWallet(address: string | null): JettonWalletFact {
    return needed(this.jettonWallet(address), `jetton wallet ${address}`);
  }

  nftItem(address: string | null): NftItemFact | null {
    return this.account(address)?.nftItem ?? null;
  }

  nftSale(address: string | null): NftSaleFact | null {
    return this.account(address)?.nftSale ?? null;
  }

  nftAuction(address: string | null): NftAuctionFact | null {
    return this.account(address)?.nftAuction ?? null;
  }

  /**
   * Root of the account's data cell, without which the rule gives no action.
   * @throws Refusal
   */
  neededData(address: string | null): Uint8Array {
    return needed(address === null ? null : this.facts.getData(address), `data of ${address}`);
  }

  pool(address: string | null): PoolFact | null {
    return address === null ? null : this.facts.getPool(address);
  }

  /** Notes an error of ours: the first of a matcher, which would fail on other blocks of the trace likewise. */
  report(error: unknown): void {
    if (this.problems.at(-1)?.matcher === this.matcher) return;
    this.problems.push({ matcher: this.matcher, traceId: this.trace.traceId, error });
  }
}
