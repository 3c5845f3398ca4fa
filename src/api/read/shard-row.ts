import { BASE_TABLES } from '../../ton/columns/tables.ts';
import { type SelectedRow, selectList } from './select-list.ts';

export const SHARD_LIST = selectList(BASE_TABLES.shards);

/** A top shard block as a masterchain block names it (ShardDescr): hashes base64, `shard` unsigned decimal text. */
export type ShardRow = SelectedRow<typeof BASE_TABLES.shards>;
