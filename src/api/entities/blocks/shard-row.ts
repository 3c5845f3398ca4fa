import { BASE_TABLES } from '../../../ton/columns/tables.ts';
import { versionedText } from '../../query/fill-selects.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';

export const SHARD_LIST = selectList(BASE_TABLES.shards);

/** SELECT list of shards. */
export const SHARD_SELECT = versionedText('shards', (tables) => SHARD_LIST.within(tables?.shards));

/** A top shard block as a masterchain block names it (ShardDescr): hashes base64, `shard` unsigned decimal text. */
export type ShardRow = SelectedRow<typeof BASE_TABLES.shards>;
