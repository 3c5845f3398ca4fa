/** Rows of `shards` and `config_params`; mirrors tlb/block/mc-block-extra.ts, decode/masterchain-rows.ts. */
import {
  config_params_boc, config_params_hash, config_params_mc_seqno, config_params_param, TABLE_CONFIG_PARAMS,
} from '../../build/columns';
import { mcSeqno } from '../announced';
import { Area } from '../area';
import { skipCurrencies } from '../currencies';
import { bit, end, enter, expectTag, keep, leave, maybeRef, ref, restore, skipBits } from '../bags/cursor';
import { inMsg } from '../messages/descr-messages';
import { nextLeaf, openWalk, walkKey } from '../bags/dictionary';
import { hashOf, want } from '../bags/hash-cells';
import { contradiction, HEADER } from '../refuse';
import { writeShards } from './shard-hashes';
import { checkSignatures } from './signatures';
import { beginRow, beginString, endRow, put32, putHash } from '../streams';
import { writeCell } from '../bags/write-bag';

/** Parameters of the configuration: number, cell. */
const PARAMS = new Area();
const BAG = new Area();

export function beginMasterchain(): void {
  PARAMS.length = 0;
}

/**
 *     masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
 *       ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair)
 *          recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
 *       config:key_block?ConfigParams = McBlockExtra;
 *
 * Writes the shards at once; the parameters wait for their hashes.
 */
export function readMasterchainExtra(cell: i32, keyBlock: bool): void {
  enter(cell);
  expectTag(16, 0xcca5, 'McBlockExtra');
  const isKey = bit();
  const shards = maybeRef();
  if (shards >= 0) writeShards(shards);
  checkShardFees();
  enter(ref());
  const signatures = maybeRef();
  if (signatures >= 0) checkSignatures(signatures);
  checkMaybeInMsg();
  checkMaybeInMsg();
  leave('McBlockExtra');
  if (isKey) readConfig();
  leave('McBlockExtra');
  if (isKey != keyBlock) contradiction(HEADER, 'key_block in BlockInfo and McBlockExtra', cell, keyBlock ? 1 : 0, isKey ? 1 : 0);
}

function checkMaybeInMsg(): void {
  const cell = maybeRef();
  if (cell < 0) return;
  enter(cell);
  inMsg();
  leave('InMsg');
}

/** _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated; */
function skipFees(): void {
  skipCurrencies();
  skipCurrencies();
}

/** _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees; */
function checkShardFees(): void {
  const root = maybeRef();
  skipFees();
  if (root < 0) return;
  keep();
  openWalk(root, 96, false);
  while (nextLeaf()) {
    skipFees();
    skipFees();
    end('ShardFees');
  }
  restore();
}

/** _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams; */
function readConfig(): void {
  skipBits(256);
  const root = ref();
  keep();
  openWalk(root, 32, false);
  while (nextLeaf()) {
    const cell = ref();
    end('ConfigParams');
    want(cell);
    PARAMS.push32(bswap<u32>(load<u32>(walkKey())));
    PARAMS.push32(cell);
  }
  restore();
}

/** Once the cells are hashed. */
export function writeConfig(): void {
  for (let at: usize = 0; at < PARAMS.length; at += 8) {
    const cell = load<i32>(PARAMS.start + at, 4);
    const row = beginRow(TABLE_CONFIG_PARAMS);
    put32(config_params_mc_seqno, row, mcSeqno);
    put32(config_params_param, row, load<u32>(PARAMS.start + at));
    putHash(config_params_hash, row, hashOf(cell));
    BAG.length = 0;
    const size = writeCell(BAG, cell);
    memory.copy(beginString(config_params_boc, size), BAG.start, size);
    endRow(TABLE_CONFIG_PARAMS);
  }
}
