/*
 * Limits of one emulation (v3-rules.md 1.2). A trace that reaches a limit returns its result so far, and says so.
 * The byte limits prevent that repeated messages or copied states fill the memory.
 */

/** Transactions of a trace. */
export const MAX_TRANSACTIONS = 256;
/** Messages from the external one, which has depth 0, down to any other. */
export const MAX_DEPTH = 32;
/** Milliseconds for all transactions after the first, and the states that they need. */
export const EMULATION_MS = 3_000;
/** Bytes of messages that transactions send: cells may be shared, so that they take more when they are written apart. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Bytes of a written cell in addition to its bits. */
const CELL_BYTES = 8;
/** Bytes of states that are read and made, as base64; a single one may have 65,536 cells. */
const MAX_STATE_BYTES = 32 * 1024 * 1024;

/** Counts what a trace has taken of bytes. */
export class EmulationBudget {
  private messages = MAX_MESSAGE_BYTES;
  private states = MAX_STATE_BYTES;

  /** Whether nothing more should be begun. */
  get isSpent(): boolean {
    return this.messages <= 0 || this.states <= 0;
  }

  /** Takes the size of messages from a transaction; false if it exceeds the remaining budget. */
  takeMessages(size: { readonly cells: bigint; readonly bits: bigint }): boolean {
    this.messages -= Number(size.bits / 8n) + Number(size.cells) * CELL_BYTES;
    return this.messages > 0;
  }

  /** Takes a state in base64. */
  takeState(text: string): void {
    this.states -= text.length;
  }
}
