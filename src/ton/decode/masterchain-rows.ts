import { serializeCell } from '../boc/serialize.ts';
import type { BaseColumns } from '../columns/base-columns.ts';
import { loadMcBlockExtra } from '../tlb/block/mc-block-extra.ts';
import type { TopBlock } from '../tlb/block/shard-hashes.ts';
import type { ConfigParams } from '../tlb/config-params.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { Contradiction } from './block-error.ts';
import type { OpenBlock } from './open-block.ts';

/** Writes `shards` and, for a key block, `config_params`, in the order of their dictionaries. */
export function writeMasterchainRows(columns: BaseColumns, mcSeqno: number, open: OpenBlock): void {
  const { boc, extra, info } = open;
  if (extra.custom < 0) return;
  const custom = loadWholeCell(boc, extra.custom, 'McBlockExtra', loadMcBlockExtra);
  if (custom.keyBlock !== info.keyBlock) {
    throw new Contradiction(
      'header',
      `key_block: ${info.keyBlock} in BlockInfo, ${custom.keyBlock} in McBlockExtra`,
    );
  }
  for (const top of custom.shards) writeShard(columns, mcSeqno, top);
  if (custom.config) writeConfig(columns, mcSeqno, open, custom.config);
}

function writeShard(columns: BaseColumns, mcSeqno: number, { workchain, shard, descr }: TopBlock): void {
  const { col } = columns.tables.shards;
  col.mc_seqno.push(mcSeqno);
  col.workchain.push(workchain);
  col.shard.push(shard);
  col.seqno.push(descr.seqno);
  col.reg_mc_seqno.push(descr.regMcSeqno);
  col.start_lt.push(descr.startLt);
  col.end_lt.push(descr.endLt);
  col.root_hash.push(descr.rootHash);
  col.file_hash.push(descr.fileHash);
  col.gen_utime.push(descr.genUtime);
  columns.tables.shards.endRow();
}

function writeConfig(columns: BaseColumns, mcSeqno: number, open: OpenBlock, config: ConfigParams): void {
  const table = columns.tables.config_params;
  for (const { param, cell } of config.params) {
    table.col.mc_seqno.push(mcSeqno);
    table.col.param.push(param);
    table.col.hash.push(open.hashes.hash(cell));
    table.col.boc.push(serializeCell(open.boc, cell));
    table.endRow();
  }
}
