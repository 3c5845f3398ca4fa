import { DECODE } from '../../../pipelines/decode.ts';
import { groupOf } from '../../../src/cli/wiring/base-code.ts';
import { openDeadLetters } from '../../../src/cli/wiring/dead-letter-list.ts';
import { baseDatabase, servedVersion } from '../../../src/cli/wiring/projection.ts';
import { presentVersions } from '../../../src/cli/wiring/replay-switch.ts';
import type { Bus } from '../../../src/platform/bus/port.ts';
import { type Picture, storePicture } from '../common/store-picture.ts';
import { inDirectory } from './index-directory.ts';

/** What a data directory serves, whatever version that is; nobody works in it any more. */
export interface ServedPicture {
  readonly version: number;
  readonly picture: Picture;
}

export function servedPicture(directory: string): Promise<ServedPicture> {
  return inDirectory(directory, async ({ bus }, client) => {
    const identity = await bus.identity();
    if (!identity) throw new Error(`${directory} has no log`);
    const version = await servedVersion(client, identity);
    const unready = (await presentVersions(client, identity)).filter(({ state }) => state !== 'ready');
    const picture = {
      ...(await storePicture(client, baseDatabase(identity, version))),
      'versions that are not ready': unready.map((record) => `${record.version} ${record.state}`).join(' '),
      'lanes that are not committed to their end': await lanesBehind(bus, version),
      'dead letters': String((await openDeadLetters(bus)).length),
    };
    return { version, picture };
  });
}

async function lanesBehind(bus: Bus, version: number): Promise<string> {
  const ends = (await bus.bounds(DECODE.topic)).filter(({ next }) => next > 0);
  const lags = (await bus.lag()).filter(
    ({ topic, group }) => topic === DECODE.topic && group === groupOf(version),
  );
  const committed = new Map(lags.map((lag) => [lag.lane, lag.committed]));
  return ends
    .filter(({ lane, next }) => (committed.get(lane) ?? 0) < next)
    .map(({ lane }) => lane)
    .join(' ');
}

/** What differs, in words. */
export function pictureDifferences(expected: Picture, found: Picture): string[] {
  return Object.keys({ ...expected, ...found })
    .filter((what) => expected[what] !== found[what])
    .map((what) => `${what}: expected ${expected[what] ?? 'nothing'}, found ${found[what] ?? 'nothing'}`);
}
