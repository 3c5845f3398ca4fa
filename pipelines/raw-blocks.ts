/** Topic of the log that capture writes: blocks and start states, in masterchain steps. The only source of truth. */
export const RAW_BLOCKS = 'raw-blocks';
