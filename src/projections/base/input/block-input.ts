import type { StoredInput } from '../../../engine/projection/stored-input.ts';
import { readBlockRecords } from './block-records.ts';
import { COLD_BLOCKS } from './cold-blocks.ts';
import { hasBlock, highestPosition, readHashes, readRootHash, startStates } from './look-ups.ts';
import { lostSteps, refillBlocks } from './refill-blocks.ts';
import { missingBlocks, restoreBlocks } from './restore-blocks.ts';
import { readHistorySize, readRawSteps, readSteps } from './stored-history.ts';

/** The log `raw-blocks` as the tables of `base` keep it: bytes in `raw_blocks`, what there is in `blocks`. */
export const BLOCK_INPUT: StoredInput = {
  projection: 'base',
  landings: ['raw_blocks'],
  steps: readSteps,
  readStoredSteps: readRawSteps,
  size: readHistorySize,
  records: readBlockRecords,
  has: hasBlock,
  hashes: readHashes,
  highest: highestPosition,
  rootHash: readRootHash,
  cold: COLD_BLOCKS,
  hasStates: true,
  startStates,
  lost: lostSteps,
  refill: refillBlocks,
  missing: missingBlocks,
  restore: restoreBlocks,
};
