/**
 * The decode kernel: converts a block's bag of cells to columns. It first finds every cell whose hash is needed, then
 * computes all hashes, then writes the rows. The reader in src/ton/decode is its twin: both refuse the same blocks, and
 * otherwise give the same bytes.
 */
import {
  blocks_account_blocks, blocks_boc_bytes, blocks_file_hash, blocks_in_msg_descr_count, blocks_mc_seqno,
  blocks_out_msg_descr_count, blocks_root_hash, blocks_seqno, blocks_shard, blocks_state_hash_after,
  blocks_state_hash_before, blocks_tx_count, blocks_workchain, TABLE_BLOCKS, TABLE_TRANSACTIONS,
} from '../build/columns';
import { readAccountBlocks } from './accounts/account-blocks';
import { writeAccounts } from './accounts/account-rows';
import { ANNOUNCED_HASHES, announce, ask, mcSeqno, seqno, shard, verifyLevel, workchain } from './announced';
import { cellCount, inputSize, reserveInput, rootCell } from './bags/bag';
import { readCells } from './bags/bag-cells';
import { readHeader } from './bags/bag-header';
import { resolveCells } from './bags/bag-levels';
import {
  accountBlocksCell, customCell, inMsgDescrCell, isKeyBlock, outMsgDescrCell, readHead, softwareVersion,
  stateUpdateCell, valueFlowCell,
} from './blocks/block-head';
import { A_NEW_LEAF, A_OLD_LEAF, accountCount } from './accounts/changed-accounts';
import { checkExotics } from './bags/check-exotics';
import { crc32c } from './bags/crc32c';
import { ENTRIES } from './currencies';
import { resetCursor } from './bags/cursor';
import { resetWalks } from './bags/dictionary';
import { beginHashes, depthAtLevel, hashAtLevel, hashOf, hashWanted, wantAll } from './bags/hash-cells';
import { beginMasterchain, readMasterchainExtra, writeConfig } from './blocks/masterchain';
import { newSide, oldSide, readMerkleUpdate } from './bags/merkle-update';
import { setSoftwareVersion } from './messages/message';
import { checkKeys, inMessages, outMessages, readMessageDescr } from './messages/message-descr';
import { beginMessages } from './messages/message-record';
import { expectHash, ROOT_HASH } from './refuse';
import { readSide } from './blocks/shard-state';
import {
  beginRow, clearStreams, endRow, markStreams, place, put32, put64, putHash, rollbackStreams, rows, streamSize,
  streamStart,
} from './streams';
import { writeTransactions } from './transactions/transaction-rows';
import { readValueFlow } from './blocks/value-flow';
import { resetVirtual } from './bags/virtual-hash';
import { beginBags } from './bags/write-bag';

export { announce, ANNOUNCED_HASHES as announcedHashes, ask, clearStreams, crc32c, reserveInput, rollbackStreams };
export { cellCount, rootCell, rows, streamSize, streamStart, hashAtLevel, depthAtLevel };

/** Reads the bag in the input: everything that can be checked without hashing. */
export function parse(): void {
  resetCursor();
  resetWalks();
  resetVirtual();
  readHeader();
  readCells();
  beginHashes(resolveCells());
}

/** Hashes every cell of the bag. */
export function hashAll(): void {
  wantAll();
  hashWanted();
}

/** Decodes the block in the input; if it is refused, the host rolls back. */
export function decodeBlock(): void {
  markStreams();
  parse();
  beginBags();
  beginMessages();
  beginMasterchain();
  ENTRIES.length = 0;
  const row = beginRow(TABLE_BLOCKS);
  readHead(rootCell, row);
  if (verifyLevel >= 3) verifyRoot();
  const before = place(blocks_state_hash_before, row, 32);
  readMerkleUpdate(stateUpdateCell, before, place(blocks_state_hash_after, row, 32));
  readValueFlow(valueFlowCell, row);
  setSoftwareVersion(softwareVersion);
  findAll();
  hashWanted();
  const first = rows(TABLE_TRANSACTIONS);
  writeTransactions();
  writeAccounts();
  checkKeys();
  writeConfig();
  writeBlock(row, rows(TABLE_TRANSACTIONS) - first);
}

function verifyRoot(): void {
  hashAll();
  expectHash(ROOT_HASH, 'hash of the root cell', ANNOUNCED_HASHES, hashOf(rootCell));
  checkExotics();
}

/** Walks the block's dictionaries and marks every cell to hash. */
function findAll(): void {
  readAccountBlocks(accountBlocksCell);
  if (accountCount > 0) {
    readSide(oldSide, A_OLD_LEAF);
    readSide(newSide, A_NEW_LEAF);
  }
  readMessageDescr(inMsgDescrCell, outMsgDescrCell);
  if (customCell >= 0) readMasterchainExtra(customCell, isKeyBlock);
}

function writeBlock(row: i32, transactions: i32): void {
  put32(blocks_mc_seqno, row, mcSeqno);
  put32(blocks_workchain, row, workchain);
  put64(blocks_shard, row, shard);
  put32(blocks_seqno, row, seqno);
  putHash(blocks_root_hash, row, ANNOUNCED_HASHES);
  putHash(blocks_file_hash, row, ANNOUNCED_HASHES + 32);
  put32(blocks_in_msg_descr_count, row, inMessages);
  put32(blocks_out_msg_descr_count, row, outMessages);
  put32(blocks_account_blocks, row, accountCount);
  put32(blocks_tx_count, row, transactions);
  put32(blocks_boc_bytes, row, <u32>inputSize);
  endRow(TABLE_BLOCKS);
}
