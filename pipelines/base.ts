import type { AuditedProjection } from '../src/engine/projection/table-audit.ts';
import { beginBase } from '../src/projections/base/base-rows.ts';
import { BASE_SINK } from '../src/projections/base/base-sink.ts';
import { blockProblems } from '../src/projections/base/check-blocks.ts';
import { BLOCK_INPUT } from '../src/projections/base/input/block-input.ts';
import { BASE_AUDIT } from '../src/projections/base/verify/base-audit.ts';
import { KERNEL_CODE } from '../src/projections/records/kernel-code.ts';
import { BASE_VERSION } from '../src/tables/base-tables.ts';
import { RAW_BLOCKS } from './raw-blocks.ts';

/**
 * Blocks, transactions, messages and account states as the chain has them.
 *
 *   raw-blocks ─▶ base ─▶ land_<table> (Null) ─▶ views ─▶ targets
 */
export const BASE: AuditedProjection = {
  name: 'base',
  version: BASE_VERSION,
  reads: RAW_BLOCKS,
  // The name that logs made before projections had groups of their own know.
  group: 'decode',
  decoder: KERNEL_CODE,
  order: 'epoch',
  begin: beginBase,
  input: BLOCK_INPUT,
  problems: blockProblems,
  audit: BASE_AUDIT,
  sink: BASE_SINK,
};
