import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import type { IndexFacts, Slice } from './check.ts';

/** Bounds within which an index must be complete, and the parameters that give them to every check. */
export interface Bounds {
  readonly visible: Slice;
  /** Logical time from which no row of an account may be missing: 0 for an index without a gap. */
  readonly firstOfAccounts: number;
  readonly params: {
    readonly first_step: number;
    readonly start_lt: string;
    /** Below the visible range something is indexed that is not confirmed without a gap: lanes fill side by side. */
    readonly gap: boolean;
  };
}

/** Bounds of a visible range. Above a gap an index is looked at as one that begins there. */
export async function readBounds(
  client: StoreClient,
  database: string,
  visible: Slice,
  { continuity, firstStep, startLt }: IndexFacts,
): Promise<Bounds> {
  const isComplete = continuity === 'isolated' || visible.first <= firstStep;
  if (isComplete) {
    const params = { first_step: firstStep, start_lt: startLt.toString(), gap: false };
    return { visible, firstOfAccounts: 0, params };
  }
  // Everything in earlier steps is below the logical time at which this masterchain block begins.
  const { rows } = await client.queryRows<[string]>(
    'SELECT toString(max(start_lt)) FROM {db:Identifier}.blocks WHERE mc_seqno = {first:UInt32} AND workchain = -1',
    { route: 'verify/bounds', params: { db: database, first: visible.first } },
  );
  const params = { first_step: visible.first, start_lt: rows[0]?.[0] ?? '0', gap: true };
  return { visible, firstOfAccounts: visible.first, params };
}
