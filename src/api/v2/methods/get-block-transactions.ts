import { blockIdExt } from '../format/block-id.ts';
import { BLOCK_TRANSACTIONS } from '../format/schemas.ts';
import { BLOCK_LIST_PARAMETERS, blockCursor } from '../parameters/block-cursor.ts';
import { readBlock } from '../read/block.ts';
import { readBlockTransactionIds } from '../read/block-transactions.ts';
import { defineMethod, requireScope } from './method.ts';

/** account, lt and hash are given: bits 0 to 2; bit 7 is set by the node whenever it is asked for all three. */
const MODE = 135;

/** A block's transactions by account and lt, ids only. */
export const getBlockTransactions = defineMethod({
  name: 'getBlockTransactions',
  group: 'blocks',
  reads: ['base'],
  isFinished: true,
  summary: 'Transaction ids of a block',
  parameters: BLOCK_LIST_PARAMETERS,
  result: BLOCK_TRANSACTIONS,
  async answer(request, { after_lt, after_hash, count, ...id }) {
    const cursor = blockCursor(after_lt, after_hash);
    const scope = requireScope(request);
    const block = await readBlock(scope, id);
    const { rows, more } = await readBlockTransactionIds(scope, block, cursor, count);
    return {
      '@type': 'blocks.transactions',
      id: blockIdExt(request.blockIdTag, block),
      req_count: count,
      incomplete: more,
      transactions: rows.map(({ account, lt, hash }) => ({
        '@type': 'blocks.shortTxId',
        mode: MODE,
        account: `${block.workchain}:${account.toLowerCase()}`,
        lt,
        hash,
      })),
    };
  },
});
