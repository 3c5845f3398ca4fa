import { loadMessageRelaxed } from '../../../ton/messages/message-relaxed.ts';
import { Body, rawText } from './body.ts';
import { isRefusal } from './refusal.ts';

/** Header and body of a message inside another body: what a wallet or vesting contract was asked to send. */
export interface SentMessage {
  readonly destination: string | null;
  readonly value: bigint;
  readonly bounce: boolean;
  /** At its start. */
  readonly body: Body;
}

/**
 * Reads a message that a contract was asked to send; null if it is not internal. Some wallets' messages lack the bit of
 * extra currencies, so that form is tried second.
 * @throws CellError if the cell is not a message
 */
export function readSentMessage(cell: Body): SentMessage | null {
  try {
    return readForm(cell, true);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return readForm(cell, false);
  }
}

function readForm({ slice }: Body, hasCurrencies: boolean): SentMessage | null {
  const found = loadMessageRelaxed(slice.clone(), hasCurrencies);
  return found && { ...found, destination: rawText(found.destination), body: new Body(found.body) };
}
