/** msg_data and `message` by the body of a message (contract/v2-endpoints.md section 12). */
import { cellBits, copyBits } from '../../../ton/boc/bits.ts';
import { type Boc, onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { ENCRYPTED_COMMENT_OP, TEXT_COMMENT_OP } from '../../../ton/messages/text-comment.ts';
import { readSnake } from '../../../ton/tlb/snake-text.ts';

export type MsgData =
  | { readonly '@type': 'msg.dataRaw'; readonly body: string; readonly init_state: string }
  | { readonly '@type': 'msg.dataText' | 'msg.dataEncryptedText'; readonly text: string };

/** A body as answers show it. */
export interface BodyText {
  readonly msgData: MsgData;
  /** The field `message` of ext.message. */
  readonly message: string;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Form of a message's body. A comment loses the init state: its form has no field for one. */
export function bodyText(message: PackedMessage): BodyText {
  const { opcode } = message;
  const boc = parseBoc(message.body);
  const root = onlyRoot(boc);
  if (opcode === TEXT_COMMENT_OP || opcode === ENCRYPTED_COMMENT_OP) {
    const text = readSnake(boc, root, 32);
    if (text) return commentText(opcode, text);
  }
  const body = toBase64(message.body);
  const init_state = message.init ? toBase64(message.init) : '';
  return { msgData: { '@type': 'msg.dataRaw', body, init_state }, message: rootBitsText(boc, root) };
}

function commentText(opcode: number, bytes: Uint8Array): BodyText {
  const text = toBase64(bytes);
  return opcode === TEXT_COMMENT_OP
    ? { msgData: { '@type': 'msg.dataText', text }, message: utf8Text(bytes) }
    : { msgData: { '@type': 'msg.dataEncryptedText', text }, message: '' };
}

/** A comment that is no UTF-8 has no text. */
function utf8Text(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return '';
    throw error;
  }
}

/** Base64 of only the root cell's bits and a line break, as the public servers write it; `""` for no bits. */
function rootBitsText(boc: Boc, root: number): string {
  const bits = boc.bitLength[root]!;
  if (bits === 0) return '';
  const bytes = new Uint8Array((bits + 7) >> 3);
  copyBits(cellBits(boc, root), bytes, 0);
  return `${toBase64(bytes)}\n`;
}
