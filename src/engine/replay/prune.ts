import { readTableSizes } from '../../platform/clickhouse/table-sizes.ts';
import type { EngineParts, RunScope } from '../engine-parts.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getDatabase } from '../versions/version-names.ts';
import { VersionLease } from './lease.ts';
import { drop, presentVersions } from './switch.ts';

export interface PrunedVersion {
  readonly version: number;
  /** Bytes of its tables; blocks shared with another version stay on disk. */
  readonly freedBytes: number;
}

/** Drops every version that is neither served nor being written. Throws `VersionHeldError`. */
export async function pruneVersions(
  parts: EngineParts,
  sessionMs: number,
  scope: RunScope,
): Promise<readonly PrunedVersion[]> {
  const { client, identity, projection } = parts;
  const served = await servedVersion(client, identity, projection);
  const pruned: PrunedVersion[] = [];
  for (const record of await presentVersions(parts)) {
    if (record.version === served) continue;
    const lease = await VersionLease.take(parts, record.version, sessionMs, scope);
    try {
      const sizes = await readTableSizes(client, getDatabase(identity, projection, record.version));
      const freedBytes = sizes.reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0);
      await drop(parts, record);
      pruned.push({ version: record.version, freedBytes });
    } finally {
      await lease.release();
    }
  }
  return pruned;
}
