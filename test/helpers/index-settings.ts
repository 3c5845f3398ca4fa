/** Settings of an index that a test makes in its own process; everything is verified. */
export const INDEX_SETTINGS = {
  state: [],
  isolated: false,
  network: undefined,
  epochSize: 200_000,
  lanes: 4,
  verifyLevel: 'root',
  batchRows: 5_000,
  batchMs: 0,
  localnetSeed: 'localnet',
  localnetShards: 1,
  localnetSignatures: 'ordinary',
  blockMs: 0,
  fast: true,
  traffic: 0,
  sessionMs: 15_000,
} as const;
