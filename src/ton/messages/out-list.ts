import { CellSlice } from '../boc/cell-slice.ts';
import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';

/** A message to send, and how (modes of SENDRAWMSG). */
export interface OutMessage {
  readonly mode: number;
  readonly message: Cell;
}

// out_list_empty$_ = OutList 0;
// out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
// action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;

/**
 * Loads the messages of a list of send actions as cell indexes, the last one first, and stops after the first beyond
 * `most`.
 * @throws CellError
 */
export function loadOutList(list: CellSlice, most: number): number[] {
  const messages: number[] = [];
  for (let at = list; at.bitsLeft > 0 && messages.length <= most; ) {
    const previous = at.ref();
    messages.push(at.ref());
    at = new CellSlice(at.boc, previous);
  }
  return messages;
}

/** The list of actions that sends messages, the first one first. */
export function outList(messages: readonly OutMessage[]): Cell {
  return messages.reduce(
    (list, { mode, message }) =>
      new CellBuilder().ref(list).uint(0x0ec3c86d, 32).uint(mode, 8).ref(message).cell(),
    new CellBuilder().cell(),
  );
}
