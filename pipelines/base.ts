import type { TableProjection } from '../src/engine/projection/projection.ts';
import { beginBase } from '../src/projections/base/base-rows.ts';
import { BASE_SINK } from '../src/projections/base/base-sink.ts';
import { blockProblems } from '../src/projections/base/check-blocks.ts';
import { BLOCK_INPUT } from '../src/projections/base/input/block-input.ts';
import { KERNEL_CODE } from '../src/projections/records/kernel-code.ts';
import { RAW_BLOCKS } from './raw-blocks.ts';

/**
 * Blocks, transactions, messages and account states as the chain has them.
 *
 *   raw-blocks ─▶ base ─▶ land_<table> (Null) ─▶ views ─▶ targets
 */
export const BASE: TableProjection = {
  name: 'base',
  version: 1,
  reads: RAW_BLOCKS,
  // The name that logs made before projections had groups of their own know.
  group: 'decode',
  decoder: KERNEL_CODE,
  order: 'epoch',
  begin: beginBase,
  input: BLOCK_INPUT,
  problems: blockProblems,
  sink: BASE_SINK,
};
