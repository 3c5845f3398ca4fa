import { readTableSizes } from '../../platform/clickhouse/table-sizes.ts';
import type { DecodeParts } from './decode.ts';
import { baseDatabase, servedVersion } from './projection.ts';
import { VersionLease } from './replay-lease.ts';
import { drop, presentVersions } from './replay-switch.ts';
import type { Session } from './session.ts';

export interface PrunedVersion {
  readonly version: number;
  /** Of its tables; blocks that another version has too stay on disk. */
  readonly freedBytes: number;
}

/** Drops every version that is not served, and that nobody writes. Throws `VersionHeldError`. */
export async function pruneVersions(
  parts: DecodeParts,
  sessionMs: number,
  session: Session,
): Promise<readonly PrunedVersion[]> {
  const { client, identity, bus } = parts;
  const served = await servedVersion(client, identity);
  const pruned: PrunedVersion[] = [];
  for (const record of await presentVersions(client, identity)) {
    if (record.version === served) continue;
    const lease = await VersionLease.take(bus, record.version, sessionMs, session);
    try {
      const sizes = await readTableSizes(client, baseDatabase(identity, record.version));
      const freedBytes = sizes.reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0);
      await drop(client, identity, record);
      pruned.push({ version: record.version, freedBytes });
    } finally {
      await lease.release();
    }
  }
  return pruned;
}
