import { blockIdExt } from '../format/block-id.ts';
import { BLOCK_TRANSACTIONS_EXT } from '../format/schemas.ts';
import { rawTransactionExt } from '../format/transaction.ts';
import { BLOCK_LIST_PARAMETERS, blockCursor } from '../parameters/block-cursor.ts';
import { readBlock } from '../read/block.ts';
import { readBlockTransactions } from '../read/block-transactions.ts';
import { withCells } from '../read/stored-transactions.ts';
import { defineMethod, requireScope } from './method.ts';

/** A block's transactions by account and lt, whole. */
export const getBlockTransactionsExt = defineMethod({
  name: 'getBlockTransactionsExt',
  group: 'blocks',
  reads: ['base'],
  isFinished: true,
  summary: 'Transactions of a block',
  parameters: BLOCK_LIST_PARAMETERS,
  result: BLOCK_TRANSACTIONS_EXT,
  async answer(request, { after_lt, after_hash, count, ...id }) {
    const cursor = blockCursor(after_lt, after_hash);
    const scope = requireScope(request);
    const block = await readBlock(scope, id);
    const { rows, more } = await readBlockTransactions(scope, block, cursor, count);
    const stored = await withCells(scope, rows);
    return {
      '@type': 'blocks.transactionsExt',
      id: blockIdExt(request.blockIdTag, block),
      req_count: count,
      incomplete: more,
      transactions: stored.map(rawTransactionExt),
    };
  },
});
