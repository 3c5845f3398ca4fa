import { BLOCK_TARGETS } from '../../../tables/block-targets.ts';
import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import type { IndexedRow } from '../../look-up-port.ts';
import { findKnown, lackRows } from '../../query/known-rows.ts';
import { getLookUps, type Keys, keysAfter, keysWith, toBuffer } from '../../query/look-ups.ts';
import { isVisible, type RawRow, type ReadScope } from '../../query/scope.ts';
import type { TimeNeed, WindowFilter } from './time-window.ts';

const BY_TIME = getLookUp(BLOCK_TARGETS.find(({ name }) => name === 'blocks_by_time')!, 'block_by_time');
const toKey = keyBuilder(BY_TIME);
/** Blocks that one list reads at most: more would hold up other answers. */
const MAX_BLOCKS = 2_000;
/** Blocks that are read at a time. */
const AT_ONCE = 64;
const MAX_UTIME = 0xffff_ffff;

/**
 * Rows (gen_utime, tx_count, start_lt, end_lt) of the blocks with transactions, from the beginning of a list by time on, from the
 * look-up index: whole seconds until they have as many transactions as are needed. Null: a statement has to find them.
 */
export function findTimeWindowBlocks(
  scope: ReadScope,
  filter: WindowFilter,
  { need, descending }: TimeNeed,
): readonly RawRow[] | null {
  const lookUps = getLookUps(scope, scope.databases.base, BY_TIME.lookUp.name);
  const { startUtime = 0, endUtime = MAX_UTIME } = filter;
  const known = lookUps && isOnlyTimed(filter) ? findKnown(scope, lookUps, scope.visible) : null;
  if (!lookUps || !known) return null;
  const isPart = known.utime > startUtime;
  if (isPart && !descending) return lackRows(lookUps, scope.visible);
  const least = Math.max(startUtime, known.utime);
  let bounds: Keys = { from: toKey(least), below: keysWith(toKey(endUtime)).below };
  const blocks: RawRow[] = [];
  let transactions = 0;
  for (let read = 0; read < MAX_BLOCKS; read += AT_ONCE) {
    const rows = lookUps.range(BY_TIME.lookUp.name, { ...bounds, isFalling: descending }, AT_ONCE);
    for (const row of rows) {
      if (!isVisible(row.step, scope.visible)) continue;
      const block = toBlock(row);
      if (transactions >= need && block[0] !== blocks.at(-1)?.[0]) return blocks;
      blocks.push(block);
      transactions += block[1];
    }
    if (rows.length < AT_ONCE) {
      // The last second is whole: rows from `least` on are known.
      return isPart && transactions < need ? lackRows(lookUps, scope.visible) : blocks;
    }
    bounds = keysAfter(bounds, rows.at(-1)!.key, descending);
  }
  return null;
}

function isOnlyTimed({ workchain, shard, seqno, startLt, endLt }: WindowFilter): boolean {
  return [workchain, shard, seqno, startLt, endLt].every((one) => one === undefined);
}

function toBlock({ key, value }: IndexedRow): readonly [number, number, string, string] {
  const values = new RowBinary(toBuffer(value));
  return [toBuffer(key).readUInt32BE(), values.u32(), values.decimal(8), values.decimal(8)];
}
