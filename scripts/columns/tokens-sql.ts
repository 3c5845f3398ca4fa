import { TOKEN_COLUMNS } from '../../src/api/entities/tokens/model.ts';
import { TRANSFER_COLUMNS } from '../../src/api/entities/transfers/model.ts';
import { TOKEN_STATES, TOKEN_TRANSFERS } from '../../src/projections/contracts/contract-columns.ts';
import { packedTableSql, withPayload } from './packed-sql.ts';

/** Columns that land only for the other tables of states. */
const NOT_LATEST = new Set(['part', 'is_first', 'is_owner_new', 'content_hash']);

/** `tokens_latest`: columns that replace and find rows are next to the payload. */
export const tokensLatestSql = packedTableSql({
  columns: Object.fromEntries(
    Object.entries(TOKEN_STATES).filter(([name]) => !NOT_LATEST.has(name) && !name.startsWith('had')),
  ),
  stored: { mc_seqno: 'LZ4', workchain: 'LZ4', account: 'LZ4', lt: 'LZ4', kind: 'LZ4', is_gone: 'LZ4' },
  packed: TOKEN_COLUMNS,
});

/** The repair of `tokens_latest`. */
export function tokensRepairSql(text: string): string {
  return withPayload(text, TOKEN_COLUMNS);
}

/** `token_transfers`: filtered and summed columns are next to the payload. */
export const tokenTransfersSql = packedTableSql({
  columns: TOKEN_TRANSFERS,
  stored: {
    mc_seqno: 'Delta, ZSTD(1)',
    part: 'ZSTD(1)',
    kind: 'ZSTD(1)',
    workchain: 'ZSTD(1)',
    account: 'ZSTD(1)',
    lt: 'Delta, ZSTD(1)',
    now: 'Delta, ZSTD(1)',
    aborted: 'ZSTD(1)',
    amount: 'ZSTD(1)',
  },
  packed: TRANSFER_COLUMNS,
});
