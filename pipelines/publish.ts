import type { TopicProjection } from '../src/engine/projection/projection.ts';
import { createOutputs } from '../src/projections/publish/outputs.ts';
import { PUBLISHED } from '../src/projections/publish/published.ts';
import { KERNEL_CODE } from '../src/projections/records/kernel-code.ts';
import { RAW_BLOCKS } from './raw-blocks.ts';

/**
 * Records for other consumers: typed Avro (schemas/<kind>), in separate topics. The records of a batch and the next
 * offset are one transaction.
 *
 *   raw-blocks ─▶ publish ─▶ blocks, transactions, messages, account-states
 */
export const PUBLISH: TopicProjection = {
  name: 'publish',
  version: 1,
  reads: RAW_BLOCKS,
  group: 'publish',
  decoder: KERNEL_CODE,
  topics: PUBLISHED.map(({ topic }) => topic),
  createEncoder: createOutputs,
};
