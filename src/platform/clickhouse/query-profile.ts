/** Limits of statements that read a range of history: ten minutes, no memory limit of their own, ten million rows. */
export const RANGE_QUERY = { timeoutMs: 600_000, maxMemoryBytes: 0, maxRows: 10_000_000 } as const;

/** Limits of statements that read whole tables, for verification, comparison and repair: as `RANGE_QUERY`, but one hour. */
export const TABLE_QUERY = { ...RANGE_QUERY, timeoutMs: 3_600_000 } as const;
