import type { StoredInput } from '../../../engine/projection/stored-input.ts';
import { readBlockRecords } from './block-records.ts';
import { hasBlock, highestPosition, keptHashes, rootHashOf, startStates } from './look-ups.ts';
import { missingBlocks, restoreBlocks } from './restore-blocks.ts';
import { readHistorySize, readSteps } from './stored-history.ts';

/** The log `raw-blocks` as the tables of `base` keep it: bytes in `raw_blocks`, what there is in `blocks`. */
export const BLOCK_INPUT: StoredInput = {
  projection: 'base',
  landings: ['raw_blocks'],
  steps: readSteps,
  size: readHistorySize,
  records: readBlockRecords,
  has: hasBlock,
  hashes: keptHashes,
  highest: highestPosition,
  rootHash: rootHashOf,
  startStates,
  missing: missingBlocks,
  restore: restoreBlocks,
};
