import { commentText } from '../../../ton/contracts/comment-text.ts';
import { ENCRYPTED_COMMENT_OP, TEXT_COMMENT_OP } from '../../../ton/messages/text-comment.ts';
import type { Body } from './body.ts';

/** Text for people in a body or payload. */
export interface Comment {
  /** The text, or base64 of the cipher bytes. */
  readonly text: string | null;
  readonly isEncrypted: boolean;
}

const NO_COMMENT: Comment = { text: null, isEncrypted: false };

/** Reads the comment of a body or payload that starts at its opcode; no text if there is no readable one. */
export function readComment(body: Body): Comment {
  const op = body.peekOp();
  if (op !== TEXT_COMMENT_OP && op !== ENCRYPTED_COMMENT_OP) return NO_COMMENT;
  const bytes = snakeBytes(body.clone().skip(32));
  if (op === ENCRYPTED_COMMENT_OP) return { text: bytes?.toBase64() ?? null, isEncrypted: true };
  return { text: bytes && commentText(bytes), isEncrypted: false };
}

/** Bytes of a snake: whole bytes, then at most one reference to the next piece; null for any other form. */
function snakeBytes(start: Body): Uint8Array | null {
  const pieces: Uint8Array[] = [];
  for (let piece: Body | null = start; piece; piece = piece.refsLeft === 0 ? null : piece.ref()) {
    if (piece.bitsLeft % 8 !== 0 || piece.refsLeft > 1) return null;
    pieces.push(piece.bytes(piece.bitsLeft / 8));
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
