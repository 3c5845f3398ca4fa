import { toHex } from '../hash/hex.ts';
import { forEachInMsg } from '../tlb/message/in-msg-descr.ts';
import { forEachOutMsg } from '../tlb/message/out-msg-descr.ts';
import { Contradiction } from './block-error.ts';
import type { OpenBlock } from './open-block.ts';
import { sameBytes } from './same-bytes.ts';

/**
 * Reads the dictionaries of imported and exported messages and counts them. With `checkHashes` every key must be the
 * hash of its message (`deq_short` entries carry none).
 */
export function readMessageDescr(
  open: OpenBlock,
  checkHashes: boolean,
): { readonly inMsgs: number; readonly outMsgs: number } {
  const { boc, extra } = open;
  let inMsgs = 0;
  let outMsgs = 0;
  forEachInMsg(boc, extra.inMsgDescr, (hash, { msg }) => {
    inMsgs++;
    if (checkHashes) checkKey(open, hash, msg);
  });
  forEachOutMsg(boc, extra.outMsgDescr, (hash, { msg }) => {
    outMsgs++;
    if (checkHashes && msg >= 0) checkKey(open, hash, msg);
  });
  return { inMsgs, outMsgs };
}

function checkKey(open: OpenBlock, key: Uint8Array, msg: number): void {
  const hash = open.hashes.hash(msg);
  if (sameBytes(hash, key)) return;
  throw new Contradiction(
    'transactions',
    `message descriptor ${toHex(key)} contains the message ${toHex(hash)}`,
  );
}
