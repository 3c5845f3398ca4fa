import type { SourceBlock } from '../../../src/capture/source.ts';
import { openBlock } from '../../../src/ton/decode/open-block.ts';
import { forEachAccountBlock } from '../../../src/ton/tlb/block/shard-account-blocks.ts';
import { loadTransaction, type Transaction } from '../../../src/ton/tlb/transaction/transaction.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';

/** All transactions of a block. */
export function loadTransactions({ boc: bytes }: SourceBlock): Transaction[] {
  const { boc, extra } = openBlock(bytes);
  const transactions: Transaction[] = [];
  forEachAccountBlock(boc, extra.accountBlocks, (_address, block) => {
    for (const cell of block.transactions)
      transactions.push(loadWholeCell(boc, cell, 'Transaction', loadTransaction));
  });
  return transactions;
}

/** Outcome of a transaction, in a word or two. */
export function outcomeOf({ description }: Transaction): string {
  if (description.kind === 'tick_tock') return description.isTock ? 'tock' : 'tick';
  const what = computeOutcome(description);
  return description.bounce ? `${what}, bounced` : what;
}

function computeOutcome(description: Transaction['description']): string {
  if (description.compute?.kind === 'skipped') return 'no state';
  if (description.compute?.kind === 'vm' && !description.compute.success)
    return `exit ${description.compute.exitCode}`;
  return description.aborted ? 'aborted' : 'ok';
}
