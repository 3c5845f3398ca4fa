import type { EngineParts } from '../../../engine/engine-parts.ts';
import { partsOfVersion, tableSink } from '../../../engine/lanes/lane-options.ts';
import { stepCounted } from '../../../engine/projection/projection.ts';
import { joinRanges } from '../../../engine/ranges/position-ranges.ts';
import type { Batch, BatchJournal } from '../../../engine/sink/batch.ts';
import { recountSteps } from '../../../engine/sink/recount-steps.ts';
import { servedVersion } from '../../../engine/versions/prepare-store.ts';
import { getDatabase } from '../../../engine/versions/version-names.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { storedTable } from '../../../platform/clickhouse/cluster-scope.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { BaseColumns } from '../../../ton/columns/base-columns.ts';
import { decodeState } from '../../../ton/decode/decode-state.ts';

/** A shard's state that is taken in after the index was made; `shard` unsigned. */
export interface LateState {
  readonly id: { readonly workchain: number; readonly shard: bigint };
  readonly boc: Uint8Array;
}

const GROUP = 'late-states';
/** An interrupted range is repeated when the states are given again; no other process continues it. */
const NO_JOURNAL: BatchJournal = {
  begin: async () => {},
  confirm: async () => {},
  left: () => Number.POSITIVE_INFINITY,
};

/**
 * Replaces the state rows of a position by the given states. In a chain they replace rows of old states from blocks
 * (origin `before`), as in an index that began with the states. Can be repeated.
 */
export async function writeLateStates(
  parts: EngineParts,
  position: number,
  states: readonly LateState[],
  signal: AbortSignal,
): Promise<void> {
  const { client, identity, projection } = parts;
  const version = await servedVersion(client, identity, projection);
  const database = getDatabase(identity, projection, version);
  const epoch = Math.floor(position / identity.epochSize);
  // The number names the attempt in the ids of its inserts.
  const from = Date.now();
  const range = {
    lane: epoch % identity.lanes,
    epoch,
    from,
    next: from + 1,
    firstPosition: position,
    lastPosition: position,
  };
  const rebuild = async (): Promise<Batch> => {
    const columns = new BaseColumns();
    for (const { boc } of states) decodeState(boc, position, columns);
    return { ...range, tables: Object.values(columns.tables) };
  };
  const written = await partsOfVersion({ ...parts, version });
  const sink = tableSink(written, { group: GROUP });
  if (identity.facts.continuity === 'isolated') {
    await dropStatesAt(client, database, position);
    await sink.add(await rebuild(), signal);
    return recountSteps({ client, database }, stepCounted(written.projection), [
      { first: position, last: position },
    ]);
  }
  const changed: number[] = [position];
  for (const state of states) changed.push(...(await dropStatesBefore(client, database, state)));
  // No other rows are at this position: they are measured, deleted and inserted again.
  const entry = { ...range, attempt: 1, expected: { account_states: -1 } };
  await sink.recover(entry, NO_JOURNAL, rebuild, signal);
  const steps = joinRanges(changed.map((step) => ({ first: step, last: step })));
  await recountSteps({ client, database }, stepCounted(written.projection), steps);
}

/** Deletes the state rows at a position, which may also have rows of blocks. */
async function dropStatesAt(client: StoreClient, db: string, position: number): Promise<void> {
  const params = { db, position };
  const here = "mc_seqno = {position:UInt32} AND origin = 'state'";
  const rows = `SELECT account, workchain, lt, hash FROM {db:Identifier}.account_states WHERE ${here}`;
  const found = await client.queryRows(`${rows} LIMIT 1`, { route: GROUP, params });
  if (found.rows.length === 0) return;
  const cells = `mc_seqno = {position:UInt32} AND (account, workchain, lt, hash) IN (${rows})`;
  await deleteRows(client, 'account_cells', cells, params);
  await deleteRows(client, 'account_states', here, params);
}

/** Deletes old states of a shard that came with blocks, and their cells. Answers the steps that held some. */
async function dropStatesBefore(
  client: StoreClient,
  db: string,
  { id }: LateState,
): Promise<readonly number[]> {
  const half = id.shard & -id.shard;
  const params = {
    db,
    workchain: id.workchain,
    first: `${id.shard - half}`,
    last: `${id.shard + half - 1n}`,
  };
  const inShard =
    'workchain = {workchain:Int32} AND reinterpretAsUInt64(reverse(substring(account, 1, 8))) BETWEEN {first:UInt64} AND {last:UInt64}';
  const old = `${inShard} AND origin = 'before'`;
  const keys = `SELECT account, workchain, lt, mc_seqno FROM {db:Identifier}.account_states WHERE ${old}`;
  const cells = `${inShard} AND (account, workchain, lt, mc_seqno) IN (${keys})`;
  const { rows } = await client.queryRows<[number]>(
    `SELECT DISTINCT mc_seqno FROM {db:Identifier}.account_states WHERE ${old}`,
    { route: GROUP, params, ...RANGE_QUERY },
  );
  await deleteRows(client, 'account_cells', cells, params);
  await deleteRows(client, 'account_states', old, params);
  return rows.map(([step]) => step);
}

async function deleteRows(
  client: StoreClient,
  table: string,
  which: string,
  params: Readonly<Record<string, string | number>>,
): Promise<void> {
  await client.command(`DELETE FROM ${storedTable(client, '{db:Identifier}', table)} WHERE ${which}`, {
    route: `${GROUP}/${table}`,
    params,
    settings: { lightweight_deletes_sync: 2 },
  });
}
