import { commentText } from '../../../ton/contracts/comment-text.ts';
import type { Body } from './body.ts';

/** Op of a body or payload with a text, and of one with an encrypted text. */
export const TEXT_COMMENT = 0x00000000;
export const ENCRYPTED_COMMENT = 0x2167da4b;

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
  if (op !== TEXT_COMMENT && op !== ENCRYPTED_COMMENT) return NO_COMMENT;
  const bytes = snakeBytes(body.clone().skip(32));
  if (op === ENCRYPTED_COMMENT) return { text: bytes?.toBase64() ?? null, isEncrypted: true };
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
