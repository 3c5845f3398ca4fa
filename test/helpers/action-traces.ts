import type { Trace, TraceMessage, TraceTransaction } from '../../src/projections/actions/model/trace.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';

/** A message that was sent, with what its transaction sent on. */
export interface Sent {
  readonly op?: number;
  /** Receiver; null is a log. */
  readonly to: string | null;
  /** Body after the op. */
  readonly body?: (builder: CellBuilder) => void;
  readonly value?: bigint;
  readonly aborted?: boolean;
  /** The receiving transaction made its account active. */
  readonly deploys?: boolean;
  /** No body at all. */
  readonly bodiless?: boolean;
  readonly bounce?: boolean;
  readonly stateInit?: Cell;
  readonly sends?: readonly Sent[];
}

/** A raw address by a small number or a letter. */
export function address(name: number | string): string {
  const number = typeof name === 'number' ? name : name.charCodeAt(0);
  return `0:${number.toString(16).toUpperCase().padStart(64, '0')}`;
}

/** Writes `addr_std` of an address that `address` made; `addr_none` for null. */
export function putAddress(builder: CellBuilder, raw: string | null): CellBuilder {
  if (raw === null) return builder.uint(0, 2);
  const [workchain, hash] = raw.split(':') as [string, string];
  return builder.uint(0b100, 3).int(Number(workchain), 8).bytes(Uint8Array.fromHex(hash));
}

/** A cell with the text of a comment. */
export function comment(text: string): (builder: CellBuilder) => void {
  return (builder) => void builder.bytes(new TextEncoder().encode(text));
}

export function bagOf(cell: Cell): Uint8Array {
  return writeBag(cell);
}

function bodyOf({ op, body }: Sent): Uint8Array {
  const builder = new CellBuilder();
  if (op !== undefined) builder.uint(op, 32);
  body?.(builder);
  return writeBag(builder.cell());
}

/** Numbers messages and transactions of one trace in the order of the walk. */
class TraceWriter {
  readonly transactions: TraceTransaction[] = [];
  private lt = 1000n;

  /** The transaction that received a message, and everything it sent. */
  receive(message: TraceMessage, { aborted = false, deploys = false, sends = [] }: Sent): void {
    this.lt += 1n;
    const lt = this.lt;
    const account = message.destination as string;
    const outMessages: TraceMessage[] = sends.map((sent) => this.send(account, sent));
    this.transactions.push({
      hash: `tx-${lt}`,
      account,
      lt,
      now: Number(lt),
      mcSeqno: 7,
      aborted,
      originalStatus: deploys ? 'nonexist' : 'active',
      endStatus: 'active',
      isTickTock: false,
      skipReason: null,
      exitCode: 0,
      inMessage: message,
      outMessages,
    });
    for (const [place, sent] of sends.entries())
      if (sent.to !== null) this.receive(outMessages[place]!, sent);
  }

  send(source: string | null, sent: Sent): TraceMessage {
    this.lt += 1n;
    const isExternal = source === null || sent.to === null;
    return {
      hash: `message-${this.lt}`,
      source,
      destination: sent.to,
      value: isExternal ? null : (sent.value ?? 1_000_000_000n),
      extraCurrencies: {},
      createdLt: source === null ? null : this.lt,
      createdAt: source === null ? null : Number(this.lt),
      opcode: sent.op ?? null,
      bounce: isExternal ? null : (sent.bounce ?? true),
      body: sent.bodiless ? null : bodyOf(sent),
      stateInit: sent.stateInit ? writeBag(sent.stateInit) : null,
    };
  }
}

/** A trace that an external message to a wallet has started. */
export function traceFrom(root: Sent): Trace {
  const writer = new TraceWriter();
  writer.receive(writer.send(null, root), root);
  return { traceId: writer.transactions[0]!.hash, transactions: writer.transactions.toReversed() };
}
