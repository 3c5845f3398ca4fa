import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { EngineParts } from '../engine-parts.ts';
import { dropVersion } from '../versions/drop-version.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { ANNOUNCE_MS, listVersions, readPointer, setPointer } from '../versions/projection-pointer.ts';
import {
  pointerHistory,
  readVersionRecords,
  recordVersion,
  type VersionRecord,
} from '../versions/version-records.ts';

/** There is no version to go back to. */
export class NoEarlierVersionError extends ConflictError {
  constructor(served: number) {
    super(`version ${served} is served, and none that was served before is there any more`);
  }
}

/** The pointer's move: from when on answers change (`performance.now()`). */
export interface PointerSwitch {
  readonly at: number;
}

/** A projection of a store. */
export type StoredProjection = Pick<EngineParts, 'client' | 'identity' | 'projection'>;

const getOwner = ({ identity, projection }: StoredProjection) => ({
  network: identity.network,
  projection: projection.name,
});

/** Every version that has a database, with what is known of it. */
export async function presentVersions(stored: StoredProjection): Promise<readonly VersionRecord[]> {
  const { network, projection } = getOwner(stored);
  const records = await readVersionRecords(stored.client, network, projection);
  const versions = await listVersions(stored.client, network, projection);
  return versions.map(
    (version) =>
      records.find((record) => record.version === version) ??
      ({ version, codeVersion: version, state: 'ready', detail: {}, schema: null } satisfies VersionRecord),
  );
}

/**
 * Points answers at a version, and resolves when they come from it. The moment is announced: each server reads what it
 * needs before, so that no request waits for the store then.
 */
export async function switchTo(stored: StoredProjection, version: number): Promise<PointerSwitch> {
  const { client } = stored;
  const { network, projection } = getOwner(stored);
  await setPointer(client, { network, projection, version }, ANNOUNCE_MS);
  const { next } = await readPointer(client, network, projection);
  const at = next?.at ?? performance.now();
  await settleSwitch(stored);
  return { at };
}

/** Waits until a version that is announced is served, and writes down that what was pointed at is whole. */
export async function settleSwitch(stored: StoredProjection): Promise<void> {
  const { client } = stored;
  const { network, projection } = getOwner(stored);
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
export async function earlierVersion(stored: StoredProjection): Promise<number> {
  const { client, identity, projection } = stored;
  const served = await servedVersion(client, identity, projection);
  const present = new Set((await presentVersions(stored)).map(({ version }) => version));
  const history = await pointerHistory(client, identity.network, projection.name);
  const earlier = history.findLast((version) => version !== served && present.has(version));
  if (earlier === undefined) throw new NoEarlierVersionError(served);
  return earlier;
}

/** Drops a version that is not served. */
export function drop(stored: StoredProjection, record: VersionRecord): Promise<void> {
  return dropVersion(stored.client, getOwner(stored), record);
}
