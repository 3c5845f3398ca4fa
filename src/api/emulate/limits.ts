/*
 * Limits of one emulation (v3-rules.md 1.2). A trace that reaches a limit is answered as far as it came, and says so;
 * the bounds of bytes keep a message that is sent along by many, or a state that is handed on, from filling the memory.
 */

/** Transactions of a trace. */
export const MOST_TRANSACTIONS = 256;
/** Messages from the external one, which has depth 0, down to any other. */
export const MOST_DEPTH = 32;
/** Milliseconds for all transactions after the first, and the states that they need. */
export const EMULATION_MS = 3_000;
/** Bytes of messages that transactions send: cells may be shared, so that they take more when they are written apart. */
const MOST_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Bytes of a cell beside its bits, once it is written. */
const CELL_BYTES = 8;
/** Bytes of states that are read and made, as base64; a single one may have 65,536 cells. */
const MOST_STATE_BYTES = 32 * 1024 * 1024;

/** Counts what a trace has taken of bytes. */
export class EmulationBudget {
  private messages = MOST_MESSAGE_BYTES;
  private states = MOST_STATE_BYTES;

  /** Whether nothing more should be begun. */
  get isSpent(): boolean {
    return this.messages <= 0 || this.states <= 0;
  }

  /** Takes the size of messages as a transaction tells it; false where that is more than is left. */
  takeMessages(size: { readonly cells: bigint; readonly bits: bigint }): boolean {
    this.messages -= Number(size.bits / 8n) + Number(size.cells) * CELL_BYTES;
    return this.messages > 0;
  }

  /** Takes a state in base64. */
  takeState(text: string): void {
    this.states -= text.length;
  }
}
