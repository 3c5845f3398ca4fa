import type { RowParts } from '../../engine/projection/row-set.ts';

/** Kinds of messages by their part in the trace of their transaction (v3-rules.md 4). */
export const MESSAGE_KINDS = ['external', 'system', 'internal', 'sent', 'log'] as const;

/**
 * `external`, `system` (from -1:0…0) and `internal` came in; `sent` went out to an account, `log` out of the chain.
 */
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** A message as one of its two transactions has it. */
export interface MessageFact {
  readonly kind: MessageKind;
  /** Logical time of the message; 0 for an external one. */
  readonly createdLt: bigint;
  /** 32 bytes; a view. */
  readonly hash: Buffer;
  /** The normalised hash (TEP-467) of an external message, 32 bytes; a view. Others: null. */
  readonly hashNorm: Buffer | null;
}

/** A transaction and its messages, with the fields that traces need. */
export interface TransactionFact {
  /** Masterchain step. */
  readonly position: number;
  readonly workchain: number;
  /** Unix time, seconds. */
  readonly utime: number;
  readonly lt: bigint;
  /** 32 bytes each; views. */
  readonly account: Buffer;
  readonly hash: Buffer;
  /** The incoming message first, if any. */
  readonly messages: readonly MessageFact[];
}

/** Position, workchain, utime, lt, account, hash, number of messages. */
const TRANSACTION_BYTES = 4 + 4 + 4 + 8 + 32 + 32 + 2;
/** Kind, created_lt, hash; an external one is followed by its normalised hash. */
const MESSAGE_BYTES = 1 + 8 + 32;
const NORM_BYTES = 32;

const STEP = 1 << 16;

/** Writes transactions in sequence; into `spare` if it is large enough for all. */
export class FactWriter {
  readonly #bytes: Buffer;
  #at = 0;
  #rows = 0;

  /** At most so many rows follow. */
  constructor(transactions: number, messages: number, spare: ArrayBuffer | null) {
    const most = transactions * TRANSACTION_BYTES + messages * (MESSAGE_BYTES + NORM_BYTES);
    this.#bytes = Buffer.from(
      spare && spare.byteLength >= most ? spare : new ArrayBuffer(Math.max(1, Math.ceil(most / STEP)) * STEP),
    );
  }

  add({ position, workchain, utime, lt, account, hash, messages }: TransactionFact): void {
    const bytes = this.#bytes;
    let at = bytes.writeUInt32LE(position, this.#at);
    at = bytes.writeInt32LE(workchain, at);
    at = bytes.writeUInt32LE(utime, at);
    at = bytes.writeBigUInt64LE(lt, at);
    at += account.copy(bytes, at);
    at += hash.copy(bytes, at);
    at = bytes.writeUInt16LE(messages.length, at);
    for (const message of messages) {
      at = bytes.writeUInt8(MESSAGE_KINDS.indexOf(message.kind), at);
      at = bytes.writeBigUInt64LE(message.createdLt, at);
      at += message.hash.copy(bytes, at);
      if (message.hashNorm) at += message.hashNorm.copy(bytes, at);
    }
    this.#at = at;
    this.#rows++;
  }

  parts(): RowParts {
    return {
      buffer: this.#bytes.buffer as ArrayBuffer,
      rows: [this.#rows],
      sizes: Uint32Array.of(this.#at),
    };
  }
}

/** The transactions in the order of the log; their bytes are views of the parts. */
export function* readFacts({ buffer, rows: [count = 0], sizes }: RowParts): Generator<TransactionFact> {
  const bytes = Buffer.from(buffer, 0, sizes[0]);
  let at = 0;
  const take = (width: number): Buffer => {
    at += width;
    return bytes.subarray(at - width, at);
  };
  const readMessage = (): MessageFact => {
    const kind = MESSAGE_KINDS[bytes.readUInt8(at)] as MessageKind;
    const createdLt = bytes.readBigUInt64LE(at + 1);
    at += 9;
    const hash = take(32);
    return { kind, createdLt, hash, hashNorm: kind === 'external' ? take(NORM_BYTES) : null };
  };
  for (let row = 0; row < count; row++) {
    const position = bytes.readUInt32LE(at);
    const workchain = bytes.readInt32LE(at + 4);
    const utime = bytes.readUInt32LE(at + 8);
    const lt = bytes.readBigUInt64LE(at + 12);
    at += 20;
    const account = take(32);
    const hash = take(32);
    const messages = new Array<MessageFact>(bytes.readUInt16LE(at));
    at += 2;
    for (let i = 0; i < messages.length; i++) messages[i] = readMessage();
    yield { position, workchain, utime, lt, account, hash, messages };
  }
}
