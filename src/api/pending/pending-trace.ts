import { toHex } from '../../ton/hash/hex.ts';
import type { PendingTraces } from '../chain-port.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { compareByLt } from '../entities/transactions/order.ts';
import { decodedBlock } from './decoded-rows.ts';

/** A transaction of a pending trace. */
export interface PendingTransaction {
  readonly row: TransactionRow;
  /** Whether no served block has it. */
  readonly emulated: boolean;
  /** Those that its messages began. */
  readonly children: readonly PendingTransaction[];
}

/** An external message that is not wholly dealt with, and what follows from it. */
export interface PendingTrace {
  /** Hash of the sent message, and of its normal form (TEP-467). */
  readonly externalHash: Uint8Array;
  readonly externalHashNorm: Uint8Array;
  readonly root: PendingTransaction;
  /** By lt, then account; the root first. */
  readonly transactions: readonly PendingTransaction[];
  /** Messages, each counted once. */
  readonly messages: number;
  /** Messages to accounts that no transaction has taken, not even a foreseen one. */
  readonly untaken: number;
  /** There are more transactions than a trace is answered with, so that the rest was not looked for. */
  readonly isTooLarge: boolean;
  /** Account cells (bags) by raw address after the blocks that are not served, of all traces. */
  readonly accounts: ReadonlyMap<string, Uint8Array>;
}

interface Node extends PendingTransaction {
  readonly children: Node[];
}

/** A larger trace is answered without its transactions (v3-endpoints.md 4.1). */
const MAX_TRANSACTIONS = 4_000;

/** Assembles the traces from the source. Traces without a known transaction are excluded. */
export function pendingTraces(
  { externals, blocks }: PendingTraces,
  served: number,
  most = MAX_TRANSACTIONS,
): PendingTrace[] {
  const received = new Map<string, Node>();
  const accounts = new Map<string, Uint8Array>();
  for (const block of blocks) {
    const emulated = block.mcSeqno === null || block.mcSeqno > served;
    const decoded = decodedBlock(block);
    if (emulated) for (const [raw, bag] of decoded.accounts) accounts.set(raw, bag);
    for (const row of decoded.rows) {
      const incoming = row.messages.find(({ direction }) => direction === 'in');
      // The newest transaction of a message that was sent again counts.
      if (incoming) received.set(toHex(incoming.hash), { row, emulated, children: [] });
    }
  }
  const traces: PendingTrace[] = [];
  for (const external of externals) {
    const root = received.get(toHex(external));
    if (root) traces.push({ ...follow(external, root, most, (hash) => received.get(toHex(hash))), accounts });
  }
  return traces;
}

function follow(
  externalHash: Uint8Array,
  root: Node,
  most: number,
  findTaker: (hash: Uint8Array) => Node | undefined,
): Omit<PendingTrace, 'accounts'> {
  const transactions = [root];
  let messages = 1;
  let untaken = 0;
  // Grows while it is walked.
  for (const { row, children } of transactions) {
    if (transactions.length > most) break;
    for (const { direction, kind, hash } of row.messages) {
      if (direction === 'in') continue;
      messages++;
      if (kind !== 'internal') continue;
      const child = findTaker(hash);
      if (!child) untaken++;
      else {
        transactions.push(child);
        children.push(child);
      }
    }
    children.sort(byLt);
  }
  const external = root.row.messages.find(({ direction }) => direction === 'in');
  return {
    externalHash,
    externalHashNorm: external?.hashNorm ?? externalHash,
    root,
    transactions: transactions.sort(byLt),
    messages,
    untaken,
    isTooLarge: transactions.length > most,
  };
}

function byLt(a: PendingTransaction, b: PendingTransaction): number {
  return compareByLt(a.row, b.row);
}
