import { basename } from 'node:path';
import { UnreadableLogError } from '../../log/errors.ts';
import type { Bus, LogIdentity, LogWriter, SealingBus } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TableProjection } from '../projection/projection.ts';
import { servedDatabase, servedVersion } from '../versions/prepare-store.ts';
import { readStoreIdentity } from '../versions/store-identity.ts';
import { getGroup } from '../versions/version-names.ts';

/** The store does not contain the identity of its log. */
export class UnknownLogError extends ConflictError {
  constructor(found: readonly string[]) {
    super(
      `the log cannot be rebuilt from the store: the store contains ${found.length === 0 ? 'no network' : found.join(', ')}`,
    );
  }
}

/** A network has masterchain seqnos of 32 bits. */
const ALL = { first: 0, last: 2 ** 32 - 1 } as const;
const MAX_LANES = 1_024;
const SESSION_MS = 15_000;

/**
 * The identity of a store's log. `lanes`: used if the store does not contain the number.
 * @throws UnknownLogError
 */
export async function storedLogIdentity(
  client: StoreClient,
  projection: TableProjection,
  lanes: number,
): Promise<LogIdentity> {
  const { rows } = await client.queryRows<[string]>(
    "SELECT database FROM system.tables WHERE name = 'identity' AND database NOT IN ('system') ORDER BY database",
    { route: 'log/identity' },
  );
  const networks = rows.map(([network]) => network);
  const [network, ...others] = networks;
  if (network === undefined || others.length > 0) throw new UnknownLogError(networks);
  const stored = await readStoreIdentity(client, network);
  if (!stored) throw new UnknownLogError(networks);
  const { id = '', epoch_size, ...facts } = stored;
  const database = await servedDatabase(client, { network }, projection);
  const found = await readLanes(client, database, lanes);
  return { network, id, epochSize: Number(epoch_size), lanes: found, facts };
}

/** The lanes of the confirmed ranges, or `wanted` if they are unknown. */
async function readLanes(client: StoreClient, database: string, wanted: number): Promise<number> {
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT DISTINCT epoch, lane FROM ${database}.confirmed`,
    { route: 'log/lanes', maxRows: 1_000_000 },
  );
  const least = Math.max(0, ...rows.map(([, lane]) => lane)) + 1;
  const agrees = (count: number) => rows.every(([epoch, lane]) => epoch % count === lane);
  if (wanted >= least && agrees(wanted)) return wanted;
  for (let count = least; count <= MAX_LANES; count++) if (agrees(count)) return count;
  return wanted;
}

/** Sealed files that a new log has. */
export interface AdoptedFiles {
  readonly files: number;
  readonly records: number;
  /** Sealed files that it does not have. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
}

/** Gives a new log the sealed files of a damaged one, as far as they are whole. */
export async function adoptSealedFiles(
  bus: SealingBus,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<AdoptedFiles> {
  const refused: { file: string; reason: string }[] = [];
  let [files, records] = [0, 0];
  for (const path of paths) {
    signal.throwIfAborted();
    try {
      records += (await bus.adoptSealed(path)).records;
      files++;
    } catch (error) {
      if (!(error instanceof UnreadableLogError)) throw error;
      refused.push({ file: basename(path), reason: error.message });
    }
  }
  return { files, records, refused };
}

/**
 * Gives a new log the identity and the newest step of the store: capture continues after it, and the group of the
 * served version begins there.
 */
export async function seedLog(parts: EngineParts, signal: AbortSignal): Promise<void> {
  const { bus, client, identity, projection, owner } = parts;
  await bus.establish(identity);
  const store = { client, database: await servedDatabase(client, identity, projection) };
  const position = await projection.input.highest(store, ALL);
  if (position < 0) return;
  const writer = await bus.writer(projection.reads, owner, SESSION_MS);
  await logStoredStep(parts, writer, position, signal);
}

/**
 * Appends a step of the store to the log, gives up the writer's lease, and moves the group of the served version after
 * it: capture continues there.
 */
export async function logStoredStep(
  parts: EngineParts,
  writer: LogWriter,
  position: number,
  signal: AbortSignal,
): Promise<void> {
  const { bus, client, codec, identity, projection, owner } = parts;
  const { network, epochSize, lanes } = identity;
  const store = { client, database: await servedDatabase(client, identity, projection) };
  const range = { first: position, last: position };
  const records = await projection.input.records(store, range, { codec, network, signal });
  const epoch = Math.floor(position / epochSize);
  await writer.append([{ position, epoch, lane: epoch % lanes, records: records.get(position) ?? [] }]);
  await writer.release();
  await passLogged({ bus, client, identity, projection, owner });
}

/** Everything in the log is in the store: the group of the served version begins after it. */
export async function passLogged({
  bus,
  client,
  identity,
  projection,
  owner,
}: Pick<EngineParts, 'bus' | 'client' | 'identity' | 'projection' | 'owner'>): Promise<void> {
  const version = await servedVersion(client, identity, projection);
  await passAll(bus, { topic: projection.reads, group: getGroup(projection, version), owner });
}

/** The step is in the store: its group begins after it. */
async function passAll(
  bus: Bus,
  group: { readonly topic: string; readonly group: string; readonly owner: string },
): Promise<void> {
  const consumer = await bus.consumer({ ...group, sessionMs: SESSION_MS });
  try {
    const ends = new Map((await bus.bounds(group.topic)).map(({ lane, next }) => [lane, next]));
    for (const lease of await consumer.claim())
      await consumer.commit(lease, ends.get(lease.lane) ?? lease.committed);
  } finally {
    await consumer.release();
  }
}
