import { existsSync } from 'node:fs';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { compareLookUps } from '../../../src/cli/compose/lookup/compare-look-ups.ts';
import { INDEXED_PROJECTIONS } from '../../../src/cli/compose/lookup/indexed-projections.ts';
import { intersectRanges, subtractRanges } from '../../../src/engine/ranges/position-ranges.ts';
import { begunProjections } from '../../../src/engine/versions/begun-projections.ts';
import { servedVersion } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { LogIdentity } from '../../../src/log/port.ts';
import { readConfirmedUntil } from '../../../src/lookup/confirmations.ts';
import { getIndexPath, readProgress } from '../../../src/lookup/sqlite-index.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import type { Picture } from './store-picture.ts';

/* Files of a look-up index, which the servers of a simulation fill. */

/** A store whose rows a look-up index has. */
export interface IndexedNetwork {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
}

/** The last time that ClickHouse can compare, Unix milliseconds. */
const NEVER = Date.UTC(2200, 0);
/** The rows of these depend on the time of outcomes (detected-picture.ts), so only the differences are facts. */
const TIMED: readonly string[] = ['detections'];

/** Steps that a server still has to read into a look-up index, as text. Empty if there are none. */
export async function unreadSteps({ client, identity }: IndexedNetwork, folder: string): Promise<string> {
  const unread: string[] = [];
  const begun = new Set((await begunProjections(client, identity, PROJECTIONS)).map(({ name }) => name));
  for (const projection of INDEXED_PROJECTIONS) {
    if (!begun.has(projection.name)) continue;
    const version = await servedVersion(client, identity, projection);
    const database = getDatabase(identity, projection, version);
    const path = getIndexPath(folder, database);
    const { covered, seenAt } = existsSync(path) ? readProgress(path) : { covered: [], seenAt: 0 };
    const [all, seen] = await Promise.all(
      [NEVER, seenAt].map((until) => readConfirmedUntil(client, database, until)),
    );
    const left = subtractRanges(all!, intersectRanges(covered, seen!));
    if (left.length > 0) unread.push(`${database} ${left.map(({ first, last }) => `${first}…${last}`)}`);
  }
  return unread.join(', ');
}

/** What `tonhouse verify` finds in the files of a look-up index: facts that are the same in two indexes of one chain. */
export async function lookUpPicture(network: IndexedNetwork, folder: string): Promise<Picture> {
  const checks = await compareLookUps(network, folder, new AbortController().signal);
  const compared = checks.map(({ name, law, problems, samples, skipped }) => {
    const isTimed = TIMED.some((projection) => name.endsWith(` ${projection}`));
    return [name, skipped ?? (problems > 0 ? samples.join('; ') : isTimed ? 'equal' : law)];
  });
  return {
    ...Object.fromEntries(compared),
    'look-up index': (await unreadSteps(network, folder)) || 'complete',
  };
}
