import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { BASE } from '../../../pipelines/base.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { stepRecords } from '../../capture/step-records.ts';
import { servedVersion } from '../../engine/versions/prepare-store.ts';
import { readStoreIdentity } from '../../engine/versions/store-identity.ts';
import { databaseOf, groupOf } from '../../engine/versions/version-names.ts';
import type { Bus, LogIdentity } from '../../log/port.ts';
import { LogStorageError, NotALogFileError } from '../../log/sqlite/errors.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { readRawBlocks } from '../../projections/base/input/raw-blocks.ts';
import type { Session } from '../session.ts';
import { type OpenLog, openLog } from './data-directory.ts';

/** The store does not tell which log it was made from. */
export class UnknownLogError extends Error {
  override readonly name = 'UnknownLogError';
  constructor(found: readonly string[]) {
    super(
      `the log cannot be made again from the store: it holds ${found.length === 0 ? 'no network' : found.join(', ')}`,
    );
  }
}

/** Whether a log could not be opened because its main file does not hold what it did. */
export function isDamagedLog(error: unknown): boolean {
  return error instanceof NotALogFileError || error instanceof LogStorageError;
}

/**
 * Puts the log of a data directory aside and makes a new one from the store: its identity, and the newest step, where
 * capture goes on. What the old one held of steps that were not in the store comes from the source again; dead letters
 * stay in the files that were put aside.
 */
export async function rebuildLog(directory: string, client: StoreClient, session: Session): Promise<OpenLog> {
  const { lanes } = resolveSettings(['lanes'], {});
  const identity = await storedIdentity(client, lanes);
  const aside = join(directory, `log.damaged-${Date.now()}`);
  renameSync(join(directory, 'log'), aside);
  session.log.warn({ aside }, 'the log is put aside and made again from the store');
  const log = await openLog(directory, session);
  await log.bus.establish(identity);
  await appendNewest(log, identity, client, session);
  return log;
}

async function storedIdentity(client: StoreClient, lanes: number): Promise<LogIdentity> {
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
  return { network, id, epochSize: Number(epoch_size), lanes: await lanesOf(client, network, lanes), facts };
}

/** The lanes that the confirmed ranges were written by; where they do not tell, `wanted`. */
async function lanesOf(client: StoreClient, network: string, wanted: number): Promise<number> {
  const version = await servedVersion(client, { network }, BASE);
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT DISTINCT epoch, lane FROM ${databaseOf({ network }, BASE, version)}.confirmed`,
    { route: 'log/lanes', maxRows: 1_000_000 },
  );
  const least = Math.max(0, ...rows.map(([, lane]) => lane)) + 1;
  const agrees = (count: number) => rows.every(([epoch, lane]) => epoch % count === lane);
  if (wanted >= least && agrees(wanted)) return wanted;
  for (let count = least; count <= 1_024; count++) if (agrees(count)) return count;
  return wanted;
}

async function appendNewest(
  { bus, codec }: OpenLog,
  identity: LogIdentity,
  client: StoreClient,
  { owner, signal }: Session,
): Promise<void> {
  const version = await servedVersion(client, identity, BASE);
  const database = databaseOf(identity, BASE, version);
  const { rows } = await client.queryRows<[number, string]>(
    `SELECT max(mc_seqno), count() FROM ${database}.raw_blocks`,
    { route: 'log/newest' },
  );
  const [newest, count] = rows[0] ?? [0, '0'];
  if (count === '0') return;
  const stored = await readRawBlocks({ client, database }, { first: newest, last: newest }, signal);
  const blocks = stored.map(({ workchain, shard, seqno, rootHash, fileHash, boc }) => ({
    id: { workchain, shard, seqno, rootHash, fileHash },
    boc,
  }));
  const writer = await bus.writer(RAW_BLOCKS, owner, SESSION_MS);
  await writer.append([stepRecords({ mcSeqno: newest, states: [], blocks }, identity, codec)]);
  await writer.release();
  await passNewest(bus, groupOf(BASE, version), owner);
}

const SESSION_MS = 15_000;

/** The step is in the store: its group begins behind it. */
async function passNewest(bus: Bus, group: string, owner: string): Promise<void> {
  const consumer = await bus.consumer({ topic: RAW_BLOCKS, group, owner, sessionMs: SESSION_MS });
  try {
    const ends = new Map((await bus.bounds(RAW_BLOCKS)).map(({ lane, next }) => [lane, next]));
    for (const lease of await consumer.claim())
      await consumer.commit(lease, ends.get(lease.lane) ?? lease.committed);
  } finally {
    await consumer.release();
  }
}
