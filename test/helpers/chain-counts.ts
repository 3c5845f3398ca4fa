import { readFileSync } from 'node:fs';

/** Sizes of a chain, from the facts of its blocks. */
export interface ChainCounts {
  /** Seqno of the last masterchain block; the first is 1. */
  readonly last: number;
  readonly blocks: number;
  readonly transactions: number;
}

/** Counts the blocks and transactions of a `facts.json`. */
export function readCounts(path: string): ChainCounts {
  const facts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { transactions: unknown[] }>;
  const masters = Object.keys(facts).filter((file) => file.startsWith('-1_'));
  return {
    last: masters.length,
    blocks: Object.keys(facts).length,
    transactions: Object.values(facts).reduce((sum, { transactions }) => sum + transactions.length, 0),
  };
}
