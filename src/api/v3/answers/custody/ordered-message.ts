import { CellError } from '../../../../ton/boc/cell-error.ts';
import type { CellSlice } from '../../../../ton/boc/cell-slice.ts';
import { rawText } from '../../../../ton/contracts/custody/custody-state.ts';
import { toAccount } from '../../../../ton/contracts/read-fields.ts';
import { loadMessageRelaxed } from '../../../../ton/messages/message-relaxed.ts';

/** An internal message that a contract is to send. */
export interface OrderedMessage {
  /** Raw; null for none. */
  readonly destination: string | null;
  /** Nanotons, decimal. */
  readonly value: string;
  readonly body: CellSlice;
}

/** @throws CellError no internal message */
export function loadOrderedMessage(slice: CellSlice): OrderedMessage {
  const { cell, bitPosition: bit } = slice;
  const found = loadMessageRelaxed(slice);
  if (!found)
    throw new CellError('value', { cell, bit, what: 'message', expected: 'int_msg_info', found: 1 });
  const destination = toAccount(found.destination);
  return { destination: destination && rawText(destination), value: `${found.value}`, body: found.body };
}
