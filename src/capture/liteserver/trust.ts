import type { BlockIdExt } from '../block-id.ts';
import type { SourceBlock } from '../source.ts';

/**
 * What is checked of a masterchain block, in addition to the hashes of its bytes and its link to the block before.
 * `hashes`: nothing. `chain`: the first block follows a trusted one. `signatures`: two thirds of the validators signed.
 */
export const TRUST_LEVELS = ['hashes', 'chain', 'signatures'] as const;
export type TrustLevel = (typeof TRUST_LEVELS)[number];

/** Proves masterchain blocks. Blocks that lead to a proven one by their links are proven with it. */
export interface Trust {
  readonly level: TrustLevel;
  /** @throws an error if no server proves the block; the block may be false, or too new for the servers */
  prove(block: SourceBlock, signal: AbortSignal): Promise<void>;
  /** As `prove`, for a block of the index by its id: it may be older than the newest proven one. */
  reach(id: BlockIdExt, signal: AbortSignal): Promise<void>;
  /** Seqno of the newest key block that signatures proved; null at other levels. */
  readonly keyBlock: number | null;
}

/** Levels at which hashes and links are all. */
export function trustLinks(level: 'hashes' | 'chain'): Trust {
  return { level, keyBlock: null, prove: async () => {}, reach: async () => {} };
}
