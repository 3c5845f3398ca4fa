import type { LogIdentity } from '../../engine/projection/projection.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { dropStartLts } from '../../ton/decode/start-lts.ts';

/**
 * The identity for decoding: in shards whose states were added later, no state is from before the index. Messages still
 * may be: `made_start_lt` is the start.
 */
export async function withLateStates(client: StoreClient, identity: LogIdentity): Promise<LogIdentity> {
  const { start_lt: starts = '0', continuity } = identity.facts;
  if (continuity === 'isolated' || /^\d+$/.test(starts)) return identity;
  const { rows } = await client.queryRows<[string]>(
    `SELECT DISTINCT key FROM ${metaDatabase(identity.network)}.raw_states`,
    { route: 'late-states' },
  );
  const shards = rows.flatMap(([key]) => {
    const [, workchain, shard] = /^\((-?\d+),([0-9a-f]{16}),\d+\)$/.exec(key) ?? [];
    return workchain && shard ? [{ workchain: Number(workchain), shard: BigInt(`0x${shard}`) }] : [];
  });
  const facts = { ...identity.facts, start_lt: dropStartLts(starts, shards), made_start_lt: starts };
  return { ...identity, facts };
}
