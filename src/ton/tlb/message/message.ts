import type { CellSlice } from '../../boc/cell-slice.ts';
import { getPiece, type Part } from '../part.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { type CommonMsgInfo, loadCommonMsgInfo } from './common-msg-info.ts';
import { loadStateInit, type StateInit } from './state-init.ts';

export interface MessageInit {
  readonly part: Part;
  readonly state: StateInit;
}

/** A message; its body is not opened. */
export interface Message {
  readonly info: CommonMsgInfo;
  readonly init: MessageInit | null;
  readonly body: Part;
}

// message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit))
//   body:(Either X ^X) = Message X;
// _ (Message Any) = MessageAny;
//
// Consumes the slice to its end: an inline body is all that is left.
export function loadMessage(slice: CellSlice): Message {
  const info = loadCommonMsgInfo(slice);
  const init = slice.bit() ? loadMessageInit(slice) : null;
  if (slice.bit()) {
    const body = { cell: slice.ref() };
    slice.end('Message');
    return { info, init, body };
  }
  const body = { slice: slice.clone() };
  slice.skipBits(slice.bitsLeft);
  slice.skipRefs(slice.refsLeft);
  return { info, init, body };
}

function loadMessageInit(slice: CellSlice): MessageInit {
  if (slice.bit()) {
    const cell = slice.ref();
    return { part: { cell }, state: loadWholeCell(slice.boc, cell, 'StateInit', loadStateInit) };
  }
  const start = slice.clone();
  const state = loadStateInit(slice);
  return { part: { slice: getPiece(start, slice) }, state };
}
