import { formatRaw } from '../address/address.ts';
import type { PackedMessage } from './message-pack.ts';
import { type PlainMessage, plainMessage } from './plain-message.ts';

type Status = 'active' | 'uninit' | 'frozen' | 'nonexist';

/** Columns of `transactions` that form a plain transaction, in addition to its key, hash and messages. */
export interface PlainColumns {
  readonly now: number;
  readonly mc_seqno: number;
  readonly aborted: boolean;
  readonly orig_status: Status;
  readonly end_status: Status;
  readonly type: string;
  readonly compute_skip_reason: 'none' | 'no_state' | 'bad_state' | 'no_gas' | 'suspended';
  readonly compute_exit_code: number;
}

/** Their names, in the order of a SELECT list. */
export const PLAIN_COLUMNS: readonly (keyof PlainColumns)[] = [
  'now',
  'mc_seqno',
  'aborted',
  'orig_status',
  'end_status',
  'type',
  'compute_skip_reason',
  'compute_exit_code',
];

/** A transaction and its messages, the incoming one first. */
export interface PlainParts {
  /** base64. */
  readonly hash: string;
  readonly workchain: number;
  /** 32 bytes. */
  readonly account: Uint8Array;
  readonly lt: bigint;
  readonly messages: readonly PackedMessage[];
}

/** A transaction in texts and numbers: its account raw with upper-case hex, its hash base64. */
export interface PlainTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly now: number;
  /** Masterchain block that committed the transaction's block. */
  readonly mcSeqno: number;
  readonly aborted: boolean;
  readonly originalStatus: Status;
  readonly endStatus: Status;
  readonly isTickTock: boolean;
  /** Why the compute phase was skipped; null if it was not. */
  readonly skipReason: Exclude<PlainColumns['compute_skip_reason'], 'none'> | null;
  /** null if the compute phase was skipped. */
  readonly exitCode: number | null;
  /** null: tick-tock. */
  readonly inMessage: PlainMessage | null;
  /** In the order of the transaction. */
  readonly outMessages: readonly PlainMessage[];
}

/** The transaction as classifiers of traces take it. */
export function plainTransaction(
  columns: PlainColumns,
  { hash, workchain, account, lt, messages }: PlainParts,
): PlainTransaction {
  const incoming = messages.find(({ direction }) => direction === 'in');
  const { compute_skip_reason: skipped, compute_exit_code: exitCode } = columns;
  return {
    hash,
    account: formatRaw(workchain, account),
    lt,
    now: columns.now,
    mcSeqno: columns.mc_seqno,
    aborted: columns.aborted,
    originalStatus: columns.orig_status,
    endStatus: columns.end_status,
    isTickTock: columns.type === 'tick_tock',
    skipReason: skipped === 'none' ? null : skipped,
    exitCode: skipped === 'none' ? exitCode : null,
    inMessage: incoming ? plainMessage(incoming) : null,
    outMessages: messages.filter(({ direction }) => direction === 'out').map(plainMessage),
  };
}
