/** Requests of a client in its window. */
export interface ClientCount {
  readonly count: number;
  /** Time until the window ends, ms. */
  readonly leftMs: number;
}

/** Counts shared with other processes. They never fail: if they cannot be shared, they are local. */
export interface RateCounts {
  /** Counts one more request of a client. */
  add(client: string): ClientCount | Promise<ClientCount>;
}
