import { BASE } from '../../../pipelines/base.ts';
import { openDeadLetters } from '../../../src/engine/dead-letters/dead-letter-list.ts';
import { presentVersions } from '../../../src/engine/replay/switch.ts';
import { servedVersion } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase, getGroup } from '../../../src/engine/versions/version-names.ts';
import type { Bus } from '../../../src/log/port.ts';
import { type Picture, storePicture } from '../common/store-picture.ts';
import { inDirectory } from './index-directory.ts';

/** Picture of the version that a data directory serves, without running processes. */
export interface ServedPicture {
  readonly version: number;
  readonly picture: Picture;
}

export function servedPicture(directory: string): Promise<ServedPicture> {
  return inDirectory(directory, async ({ bus }, client) => {
    const identity = await bus.identity();
    if (!identity) throw new Error(`${directory} has no log`);
    const version = await servedVersion(client, identity, BASE);
    const unready = (await presentVersions({ client, identity, projection: BASE })).filter(
      ({ state }) => state !== 'ready',
    );
    const picture = {
      ...(await storePicture(client, getDatabase(identity, BASE, version))),
      'versions that are not ready': unready.map((record) => `${record.version} ${record.state}`).join(' '),
      'lanes that are not committed to their end': await lanesBehind(bus, version),
      'dead letters': String((await openDeadLetters(bus)).length),
    };
    return { version, picture };
  });
}

async function lanesBehind(bus: Bus, version: number): Promise<string> {
  const ends = (await bus.bounds(BASE.reads)).filter(({ next }) => next > 0);
  const lags = (await bus.lag()).filter(
    ({ topic, group }) => topic === BASE.reads && group === getGroup(BASE, version),
  );
  const committed = new Map(lags.map((lag) => [lag.lane, lag.committed]));
  return ends
    .filter(({ lane, next }) => (committed.get(lane) ?? 0) < next)
    .map(({ lane }) => lane)
    .join(' ');
}

/** Differences, in words. */
export function pictureDifferences(expected: Picture, found: Picture): string[] {
  return Object.keys({ ...expected, ...found })
    .filter((what) => expected[what] !== found[what])
    .map((what) => `${what}: expected ${expected[what] ?? 'nothing'}, found ${found[what] ?? 'nothing'}`);
}
