import { Body } from '../body/body.ts';
import { Refusal } from '../body/refusal.ts';
import type { TraceMessage, TraceTransaction } from '../model/trace.ts';

/**
 * One node of a trace's tree: a received message with its transaction, a log with the transaction that emitted it, or a
 * tick-tock transaction without message.
 */
export class TraceNode {
  readonly transaction: TraceTransaction;
  readonly message: TraceMessage | null;
  readonly isLog: boolean;
  /** Node whose transaction sent the message; null at a root. */
  readonly parent: TraceNode | null;
  readonly children: TraceNode[] = [];
  private parsed: Body | null = null;

  constructor(
    transaction: TraceTransaction,
    message: TraceMessage | null,
    parent: TraceNode | null,
    isLog = false,
  ) {
    this.transaction = transaction;
    this.message = message;
    this.parent = parent;
    this.isLog = isLog;
  }

  get failed(): boolean {
    return this.transaction.aborted;
  }

  /** Creation lt of the message, or lt of the transaction if it has no message. */
  get startLt(): bigint {
    return this.message?.createdLt ?? this.transaction.lt;
  }

  get startUtime(): number {
    return this.message?.createdAt ?? this.transaction.now;
  }

  /** Hash of the node in action ids: of the message, or of a tick-tock transaction. */
  get hash(): string {
    return this.message?.hash ?? this.transaction.hash;
  }

  /** Whether the transaction made its account active: set (b) of the rules, a frozen account counts. */
  get deploys(): boolean {
    const { endStatus, originalStatus } = this.transaction;
    return !this.isLog && endStatus === 'active' && originalStatus !== 'active';
  }

  /**
   * A reader at the start of the body; the bag is read once.
   * @throws Refusal: no body; BocError
   */
  body(): Body {
    if (this.parsed === null) {
      const bytes = this.message?.body;
      if (!bytes) throw new Refusal('the message has no body');
      this.parsed = Body.of(bytes);
    }
    return this.parsed.clone();
  }
}
