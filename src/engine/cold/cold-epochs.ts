import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { EngineParts } from '../engine-parts.ts';
import { intersectRanges, joinRanges, type PositionRange } from '../ranges/position-ranges.ts';

const route = 'cold/epochs';

type Network = Pick<LogIdentity, 'network' | 'epochSize'>;

/** Cold epochs: the store may lack their input records, which are in sealed files of the log. Ascending. */
export async function readColdEpochs(
  client: StoreClient,
  { network }: Pick<LogIdentity, 'network'>,
): Promise<readonly number[]> {
  return (await readColdCounts(client, { network })).map(({ epoch }) => epoch);
}

/** A cold epoch, and its records that were dropped. */
interface ColdEpoch {
  readonly epoch: number;
  readonly records: number;
}

async function readColdCounts(
  client: StoreClient,
  { network }: Pick<LogIdentity, 'network'>,
): Promise<readonly ColdEpoch[]> {
  const { rows } = await client.queryRows<[number, string]>(
    `SELECT epoch, max(records) FROM ${metaDatabase(network)}.cold_epochs GROUP BY epoch ORDER BY epoch`,
    { route },
  );
  return rows.map(([epoch, records]) => ({ epoch, records: Number(records) }));
}

/** Records the cold epochs of another store of the network, whose sealed files the log has. */
export async function copyColdEpochs(
  from: StoreClient,
  into: StoreClient,
  identity: Pick<LogIdentity, 'network'>,
): Promise<void> {
  const known = new Set(await readColdEpochs(into, identity));
  for (const one of await readColdCounts(from, identity))
    if (!known.has(one.epoch)) await recordColdEpoch(into, identity, one);
}

/** Positions of the cold epochs. */
export async function readColdRanges(client: StoreClient, identity: Network): Promise<PositionRange[]> {
  const epochs = await readColdEpochs(client, identity);
  return joinRanges(epochs.map((epoch) => toEpochRange(epoch, identity)));
}

/** Positions of the cold epochs that have sealed files. */
export async function readSealedColdRanges({
  bus,
  client,
  identity,
  projection,
}: Pick<EngineParts, 'bus' | 'client' | 'identity' | 'projection'>): Promise<PositionRange[]> {
  const cold = await readColdRanges(client, identity);
  if (cold.length === 0) return [];
  const sealed = await bus.sealed(projection.reads);
  return intersectRanges(cold, joinRanges(sealed.map(({ epoch }) => toEpochRange(epoch, identity))));
}

/** Positions of an epoch. */
export function toEpochRange(epoch: number, { epochSize }: Pick<Network, 'epochSize'>): PositionRange {
  return { first: epoch * epochSize, last: (epoch + 1) * epochSize - 1 };
}

/** Records that an epoch is cold. Its records may be dropped from the store after this resolves. */
export async function recordColdEpoch(
  client: StoreClient,
  { network }: Pick<LogIdentity, 'network'>,
  { epoch, records }: ColdEpoch,
): Promise<void> {
  await client.command(
    `INSERT INTO ${metaDatabase(network)}.cold_epochs (epoch, records) SELECT {epoch:UInt32}, {records:UInt64}`,
    { route, params: { epoch, records } },
  );
  // The record must survive a power cut if the dropping does.
  await client.flush();
}
