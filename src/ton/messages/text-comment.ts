import type { CellSlice } from '../boc/cell-slice.ts';
import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';
import { snakeCell } from '../store/store-snake.ts';
import { readSnake } from '../tlb/snake-text.ts';

/** Op of a body or payload with a text, and of one with an encrypted text. */
export const TEXT_COMMENT_OP = 0x00000000;
export const ENCRYPTED_COMMENT_OP = 0x2167da4b;

// text_comment#00000000 text:SnakeString = InternalMsgBody;
// encrypted_text_comment#2167da4b cipher_text:SnakeString = InternalMsgBody;

/** Loads the bytes after the op; null if they are not whole bytes in ordinary cells. */
export function loadComment(slice: CellSlice): Uint8Array | null {
  return readSnake(slice.boc, slice.cell, slice.bitPosition, slice.refPosition);
}

/** A body with a text, as UTF-8. */
export function commentBody(text: string): Cell {
  return snakeCell(new TextEncoder().encode(text), new CellBuilder().uint(TEXT_COMMENT_OP, 32));
}
