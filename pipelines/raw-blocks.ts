/** How the store keeps the records of the topic: the tables of `base` have them. */
export { BLOCK_INPUT } from '../src/projections/base/input/block-input.ts';

/** Topic of the log that capture writes: blocks and start states, in masterchain steps. The only source of truth. */
export const RAW_BLOCKS = 'raw-blocks';
