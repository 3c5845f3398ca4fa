import type { StoreDatabase } from '../../engine/projection/stored-input.ts';

/** A token of a trace, by which a correction of the trace is recorded. */
export interface CorrectionKey {
  /** The step that completed the trace. */
  readonly position: number;
  /** Hex, upper case. */
  readonly traceId: string;
  readonly workchain: number;
  /** Hex, upper case. */
  readonly account: string;
}

/** States of a row of a projection's table `corrections`: a later one replaces an earlier one. */
export const BEGUN = 0;
export const UNCHANGED = 1;
export const CORRECTED = 2;

/** Records the state of corrections. A repeated call changes nothing. */
export async function recordCorrections(
  { client, database }: StoreDatabase,
  keys: readonly CorrectionKey[],
  state: number,
): Promise<void> {
  const values = keys.map(
    ({ position, traceId, workchain, account }) =>
      `(${position}, unhex('${traceId}'), unhex('${account}'), ${workchain}, ${state})`,
  );
  await client.command(
    `INSERT INTO ${database}.corrections (mc_seqno, trace_id, account, workchain, state) VALUES ${values.join(', ')}`,
    { route: 'actions/corrections', settings: { insert_deduplicate: 0 } },
  );
}
