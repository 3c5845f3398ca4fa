/** Counts that are shared with other processes. */
export interface RateCounts {
  /** Counts one more request of a client. */
  add(client: string): { readonly count: number; readonly leftMs: number };
}
