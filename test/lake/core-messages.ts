/** Transactions of blocks with their messages, as @ton/core reads them. */
import {
  type Address,
  type Cell,
  loadTransaction,
  type Message,
  type Slice,
  type Transaction,
} from '@ton/core';
import { transactionCells } from '../e2e/differential-core.ts';
import type { CommittedBlock } from './core-rows.ts';

/** A transaction and where it is. */
export interface CoreTransaction {
  readonly block: CommittedBlock;
  /** Raw address. */
  readonly account: string;
  /** Base64. */
  readonly hash: string;
  readonly transaction: Transaction;
  readonly isAborted: boolean;
}

/** All transactions of the blocks, oldest first. */
export function readTransactions(blocks: readonly CommittedBlock[]): readonly CoreTransaction[] {
  const found = blocks.flatMap((block) =>
    transactionCells(block.bytes).map((cell) => toTransaction(block, cell)),
  );
  return found.sort((a, b) => (a.transaction.lt < b.transaction.lt ? -1 : 1));
}

function toTransaction(block: CommittedBlock, cell: Cell): CoreTransaction {
  const transaction = loadTransaction(cell.beginParse());
  const { workchain } = block.header;
  const hex = transaction.address.toString(16).padStart(64, '0').toUpperCase();
  const { description } = transaction;
  return {
    block,
    account: `${workchain}:${hex}`,
    hash: cell.hash().toString('base64'),
    transaction,
    isAborted: 'aborted' in description && description.aborted,
  };
}

/** A message's body after its opcode. Bounced bodies begin with another one. */
export interface Body {
  readonly opcode: number;
  readonly isBounced: boolean;
  readonly slice: Slice;
}

const BOUNCED = 0xffffffff;

/** The body of a message; null if it has no opcode. */
export function readBody(message: Message | undefined | null): Body | null {
  if (!message || message.body.isExotic) return null;
  const slice = message.body.beginParse();
  if (slice.remainingBits < 32) return null;
  const first = slice.loadUint(32);
  if (first !== BOUNCED) return { opcode: first, isBounced: false, slice };
  return slice.remainingBits < 32 ? null : { opcode: slice.loadUint(32), isBounced: true, slice };
}

/** Raw address in capitals; null for none. */
export function toRaw(address: Address | null | undefined): string | null {
  return address ? address.toRawString().toUpperCase() : null;
}

/** Source of a message within the chain; null for others. */
export function getSource(message: Message | undefined | null): string | null {
  return message?.info.type === 'internal' ? toRaw(message.info.src) : null;
}
