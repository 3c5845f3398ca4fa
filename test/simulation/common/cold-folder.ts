/* The cold folder of a data directory of a simulation: below the directory, so that it is recorded and kept with it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { COLD_DISKS } from '../../../src/platform/clickhouse/cold-volume.ts';
import type { ColdPlace } from '../../../src/platform/clickhouse/embedded/cold-place.ts';
import { SeededRandom } from '../../contract/log/seeded-random.ts';

/** Share of rounds with a cold folder if the seed chooses. */
const COLD_SHARE = 0.3;

const folderOf = (directory: string) => join(directory, 'cold');

/** Whether the seed of a round gives it a cold folder; by numbers of its own, so that the rest of the round does not depend on it. */
export function isColdRound(seed: number): boolean {
  return new SeededRandom(~seed ^ 0x5f3759df).next() < COLD_SHARE;
}

/** Flag of every command of a directory with a cold folder. */
export function placeOf(directory: string): readonly string[] {
  return ['--cold', folderOf(directory)];
}

/** Flags of a command that moves parts at once: the blocks of simulations are older than a second. */
export function movesTo(directory: string): readonly string[] {
  return [...placeOf(directory), '--cold-after', '1s'];
}

/** The cold folder of a directory; undefined if it has none. */
export function coldPlaceOf(directory: string): ColdPlace | undefined {
  const folder = folderOf(directory);
  return existsSync(folder) ? { folder } : undefined;
}

/** Parts in the cold volume of a store. */
export async function countColdParts(client: StoreClient): Promise<number> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT toUInt32(count()) FROM system.parts WHERE active AND disk_name IN ${COLD_DISKS}`,
    { route: 'simulation' },
  );
  return Number(rows[0]?.[0]);
}
