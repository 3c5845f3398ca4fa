import { setTimeout as sleep } from 'node:timers/promises';
import { DECODE } from '../../../pipelines/decode.ts';
import type { LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { dropVersion } from '../../platform/clickhouse/versions/drop-version.ts';
import { listVersions, preparePointer } from '../../platform/clickhouse/versions/projection-pointer.ts';
import {
  pointerHistory,
  readVersionRecords,
  recordVersion,
  type VersionRecord,
} from '../../platform/clickhouse/versions/version-records.ts';
import { yieldNoMore } from './niceness.ts';
import { servedVersion } from './projection.ts';
import { POINTER_MS } from './served-version.ts';

/** There is no version to go back to. */
export class NoEarlierVersionError extends Error {
  override readonly name = 'NoEarlierVersionError';
  constructor(served: number) {
    super(`version ${served} is served, and none that was served before is there any more`);
  }
}

/** The pointer's move: when it began (`performance.now()`), and how long it took, milliseconds. */
export interface PointerSwitch {
  readonly at: number;
  readonly ms: number;
}

const projection = DECODE.projection;

/** Every version that has a database, with what is known of it. */
export async function presentVersions(
  client: StoreClient,
  { network }: LogIdentity,
): Promise<readonly VersionRecord[]> {
  const records = await readVersionRecords(client, network, projection);
  const versions = await listVersions(client, network, projection);
  return versions.map(
    (version) =>
      records.find((record) => record.version === version) ??
      ({ version, codeVersion: version, state: 'ready', detail: {} } satisfies VersionRecord),
  );
}

/**
 * Points answers at a version. Readers are told before, so that they look often when it happens.
 */
export async function switchTo(
  client: StoreClient,
  identity: LogIdentity,
  version: number,
): Promise<PointerSwitch> {
  const { network } = identity;
  const record = (await presentVersions(client, identity)).find((known) => known.version === version);
  const { codeVersion = version, detail = {} } = record ?? {};
  const known = { version, codeVersion, detail };
  const movePointer = await preparePointer(client, { network, projection, version });
  await recordVersion(client, { network, projection }, { ...known, state: 'switching' });
  // Whoever looked just before the record looks once more within this time, and often from then on.
  await sleep(POINTER_MS * 1.25);
  yieldNoMore();
  const at = performance.now();
  await movePointer();
  const ms = performance.now() - at;
  await recordVersion(client, { network, projection }, { ...known, state: 'ready' });
  return { at, ms };
}

/**
 * Ends what a process that was killed had begun: no version is about to be pointed at, and readers need not look often any
 * more. One that was pointed at before is whole; another one is still to be finished.
 */
export async function settleSwitches(client: StoreClient, identity: LogIdentity): Promise<void> {
  const { network } = identity;
  const pointed = new Set(await pointerHistory(client, network, projection));
  for (const record of await readVersionRecords(client, network, projection)) {
    if (record.state !== 'switching') continue;
    const state = pointed.has(record.version) ? 'ready' : 'building';
    await recordVersion(client, { network, projection }, { ...record, state });
  }
}

/** The version that was served before the present one, and is still there. Throws `NoEarlierVersionError`. */
export async function earlierVersion(client: StoreClient, identity: LogIdentity): Promise<number> {
  const served = await servedVersion(client, identity);
  const present = new Set((await presentVersions(client, identity)).map(({ version }) => version));
  const history = await pointerHistory(client, identity.network, projection);
  const earlier = history.findLast((version) => version !== served && present.has(version));
  if (earlier === undefined) throw new NoEarlierVersionError(served);
  return earlier;
}

/** Drops a version that is not served. */
export function drop(client: StoreClient, { network }: LogIdentity, record: VersionRecord): Promise<void> {
  return dropVersion(client, { network, projection }, record);
}
