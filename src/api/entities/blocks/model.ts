import { BASE_TABLES } from '../../../tables/base-tables.ts';
import { selectServed } from '../../compat/select-served.ts';
import type { RawRow } from '../../query/scope.ts';
import { type Columns, type SelectedRow, selectList } from '../../query/select-list.ts';
import { type Sql, unsafeSql } from '../../query/sql.ts';

/** Columns that no answer shows. */
const LEFT_OUT = [
  'value_flow_tag',
  'from_prev_blk',
  'to_next_blk',
  'imported',
  'exported',
  'fees_collected',
  'burned',
  'fees_imported',
  'recovered',
  'created',
  'minted',
  'in_msg_descr_count',
  'out_msg_descr_count',
  'account_blocks',
  'boc_bytes',
  'master_ref_end_lt',
  'prev_end_lt',
  'prev2_end_lt',
] as const;

export const BLOCK_LIST = selectList(BASE_TABLES.blocks, LEFT_OUT);

/** A block's header: columns of `blocks` by name; hashes base64, `shard` unsigned decimal text. */
export type BlockRow = Omit<SelectedRow<typeof BASE_TABLES.blocks>, (typeof LEFT_OUT)[number]>;

/**
 * SELECT list of blocks. A column that the read version lacks is NULL.
 */
export const BLOCK_SELECT = selectServed(BLOCK_LIST, 'blocks');

/** Columns of a block's position in a list, and its shard's name. */
const PLACE = ['workchain', 'shard', 'seqno', 'mc_seqno', 'gen_utime'] as const;
const PREVIOUS = ['after_merge', 'after_split', 'prev_seqno', 'prev2_seqno'] as const;

/** The SELECT list for rows of which no more than these fields of an answer are needed. */
export function blockSelect(wants: (field: string) => boolean, served: Columns | undefined): Sql {
  const wanted = new Set<string>([...PLACE, ...BLOCK_LIST.columns.filter(wants)]);
  if (wants('prev_blocks')) for (const name of PREVIOUS) wanted.add(name);
  return unsafeSql(BLOCK_LIST.only(wanted, served));
}

/** Reads a row of BLOCK_SELECT. */
export const blockRow: (values: RawRow) => BlockRow = BLOCK_LIST.row;
