import type { PackedMessage } from '../../../ton/columns/message-pack.ts';
import type { MessageRow } from './payload.ts';

/** A message and the visible, requested transactions at its ends. */
export interface MessageRecord {
  readonly message: PackedMessage;
  /** Hash (base64) of the transaction that received it. */
  readonly receivedBy?: string;
  /** Hash (base64) of the transaction that sent it. */
  readonly sentBy?: string;
}

/** The message of its sides: from the sender's side, or the receiver's if the sender is not visible. */
export function messageRecord(sides: readonly MessageRow[]): MessageRecord {
  const sent = sides.find(({ message }) => message.direction === 'out');
  const received = sides.find(({ message }) => message.direction === 'in');
  return {
    message: ((sent ?? received) as MessageRow).message,
    ...(received ? { receivedBy: received.tx_hash } : {}),
    ...(sent ? { sentBy: sent.tx_hash } : {}),
  };
}
