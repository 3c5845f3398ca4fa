/** How the store keeps the records of the topic: the tables of `traces` have them. */
export { TRACE_INPUT } from '../src/projections/traces/finished/trace-input.ts';

/** Topic of the log that `traces` feeds: the traces that each masterchain step completed. */
export const FINISHED_TRACES = 'traces';
