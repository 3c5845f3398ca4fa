import { helperName, type LakeSources } from './sources.ts';

/** Look-ups of one fact by key, with the projection that each reads. */
export const LOOKUP_READS = {
  trace_places: 'traces',
  trace_ids: 'traces',
  transactions: 'base',
  states: 'base',
  token_prices: 'lake',
  pool_starts: 'lake',
} as const;

export type LookupName = keyof typeof LOOKUP_READS;

/** Name of the dictionary of a look-up over the served version. */
export function lookupName(sources: LakeSources, name: LookupName): string {
  return helperName(sources, { name, reads: LOOKUP_READS[name] });
}
