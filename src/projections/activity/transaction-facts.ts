import type { RowParts } from '../../engine/projection/row-set.ts';
import { TableView } from '../../ton/kernel/table-view.ts';

/** Columns of `transactions` that counters are made of, with their widths, bytes. */
const COLUMNS = [
  ['mc_seqno', 4],
  ['workchain', 4],
  ['account', 32],
  ['lt', 8],
  ['now', 4],
  ['total_fees', 16],
  ['type', 1],
  ['aborted', 1],
  ['out_msg_count', 2],
] as const;

const STEP = 1 << 16;
/** Code of ordinary transactions in the column `type`: each of them takes one message. */
const ORDINARY = 0;

/** The columns of the decoded transactions, concatenated; in `spare` if it is large enough. */
export function packFacts(decoded: RowParts, spare: ArrayBuffer | null): RowParts {
  const view = TableView.all(decoded).get('transactions');
  const count = view?.rows ?? 0;
  const sizes = Uint32Array.from(COLUMNS, ([, width]) => width * count);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const buffer =
    spare && spare.byteLength >= total ? spare : new ArrayBuffer(Math.max(1, Math.ceil(total / STEP)) * STEP);
  const bytes = new Uint8Array(buffer);
  let at = 0;
  for (const [i, [name]] of COLUMNS.entries()) {
    if (view) bytes.set(view.streams(name)[0] as Buffer, at);
    at += sizes[i] as number;
  }
  return { buffer, rows: [count], sizes };
}

/** Contribution of one transaction to its account's counters. */
export interface TransactionFact {
  readonly position: number;
  readonly workchain: number;
  /** 32 bytes; a view. */
  readonly account: Buffer;
  readonly lt: bigint;
  /** Unix time, seconds. */
  readonly utime: number;
  /** Nanotons. */
  readonly fees: bigint;
  readonly isAborted: boolean;
  readonly messagesIn: number;
  readonly messagesOut: number;
}

/** The packed transactions of some accounts, in the order of the log. */
export function* readFacts(
  { buffer, rows: [count = 0], sizes }: RowParts,
  isWanted: (account: Buffer) => boolean,
): Generator<TransactionFact> {
  let at = 0;
  const [seqnos, workchains, accounts, lts, times, fees, types, aborted, outs] = [...sizes].map((size) => {
    at += size;
    return Buffer.from(buffer, at - size, size);
  }) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  for (let row = 0; row < count; row++) {
    const account = accounts.subarray(row * 32, row * 32 + 32);
    if (!isWanted(account)) continue;
    yield {
      position: seqnos.readUInt32LE(row * 4),
      workchain: workchains.readInt32LE(row * 4),
      account,
      lt: lts.readBigUInt64LE(row * 8),
      utime: times.readUInt32LE(row * 4),
      fees: fees.readBigUInt64LE(row * 16) + (fees.readBigUInt64LE(row * 16 + 8) << 64n),
      isAborted: aborted[row] === 1,
      messagesIn: types[row] === ORDINARY ? 1 : 0,
      messagesOut: outs.readUInt16LE(row * 2),
    };
  }
}
