import { TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block } from '../../tree/block.ts';

/** How an auction is ended. */
export type Closing = 'cancel' | 'finish' | 'stop';

const WORDS: readonly string[] = ['cancel', 'finish', 'stop'];

/** The word of a TON transfer whose whole comment ends an auction; null for every other block. */
export function closingComment(block: Block): Closing | null {
  if (!block.is(TON_TRANSFER)) return null;
  const { text } = block.data.comment;
  return text !== null && WORDS.includes(text) ? (text as Closing) : null;
}
