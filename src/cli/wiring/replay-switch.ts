import { setTimeout as sleep } from 'node:timers/promises';
import { DECODE } from '../../../pipelines/decode.ts';
import type { LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { dropVersion } from '../../platform/clickhouse/versions/drop-version.ts';
import {
  ANNOUNCE_MS,
  listVersions,
  readPointer,
  setPointer,
} from '../../platform/clickhouse/versions/projection-pointer.ts';
import {
  pointerHistory,
  readVersionRecords,
  recordVersion,
  type VersionRecord,
} from '../../platform/clickhouse/versions/version-records.ts';
import { servedVersion } from './projection.ts';

/** There is no version to go back to. */
export class NoEarlierVersionError extends Error {
  override readonly name = 'NoEarlierVersionError';
  constructor(served: number) {
    super(`version ${served} is served, and none that was served before is there any more`);
  }
}

/** The pointer's move: from when on answers change (`performance.now()`). */
export interface PointerSwitch {
  readonly at: number;
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
 * Points answers at a version, and resolves when they come from it. The moment is announced: whoever answers reads what it
 * needs before, so that nobody waits for the store then.
 */
export async function switchTo(
  client: StoreClient,
  identity: LogIdentity,
  version: number,
): Promise<PointerSwitch> {
  await setPointer(client, { network: identity.network, projection, version }, ANNOUNCE_MS);
  const { next } = await readPointer(client, identity.network, projection);
  const at = next?.at ?? performance.now();
  await settleSwitch(client, identity);
  return { at };
}

/** Waits until a version that is announced is served, and writes down that what was pointed at is whole. */
export async function settleSwitch(client: StoreClient, { network }: LogIdentity): Promise<void> {
  for (;;) {
    const { next } = await readPointer(client, network, projection);
    if (!next) break;
    await sleep(next.at - performance.now());
  }
  const pointed = new Set(await pointerHistory(client, network, projection));
  for (const record of await readVersionRecords(client, network, projection)) {
    if (record.state === 'building' && pointed.has(record.version))
      await recordVersion(client, { network, projection }, { ...record, state: 'ready' });
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
