import { createHash } from 'node:crypto';
import { BASE } from '../../../pipelines/base.ts';
import { readColdEpochs } from '../../../src/engine/cold/cold-epochs.ts';
import { coldRecords } from '../../../src/engine/cold/cold-records.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { Bus, LogIdentity } from '../../../src/log/port.ts';
import { AvroCodec } from '../../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../src/platform/avro/schema-files.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { SCHEMAS } from '../../../src/projections/records/schemas.ts';
import type { Picture } from './store-picture.ts';

/* Raw blocks of an index whose old epochs are in sealed files of the log. */

/** Thread of a log whose sealed files have blocks in parts. */
export const LOG_THREAD: URL = new URL('../../../src/cli/compose/log/log-thread.ts', import.meta.url);

/** A store and the log that it is made from. */
export interface IndexedLog {
  /** Absent: nothing is cold. */
  readonly bus?: Bus;
  readonly client: StoreClient;
  readonly identity: LogIdentity;
}

/** Positions that are read at once. */
const WINDOW = 50;
const EVERYTHING = { first: 0, last: 2 ** 32 - 1 } as const;
const WHAT = 'raw blocks as readers get them';

/** Replaces the table of raw blocks by the blocks that readers get, wherever they are. */
export async function withReadBlocks(picture: Picture, parts: IndexedLog): Promise<Picture> {
  const { raw_blocks: _, ...others } = picture;
  return { ...others, [WHAT]: await blocksAsRead(parts) };
}

/** Number of epochs whose raw blocks the store has dropped. */
export async function countColdEpochs({ client, identity }: Omit<IndexedLog, 'bus'>): Promise<number> {
  return (await readColdEpochs(client, identity)).length;
}

/** Number and checksum of all raw blocks: position, key and bytes. */
async function blocksAsRead({ bus, client, identity }: IndexedLog): Promise<string> {
  const codec = new AvroCodec(loadSchemas(SCHEMAS));
  const cold = bus && coldRecords({ bus, client, identity, projection: BASE });
  const encoding = { codec, network: identity.network, signal: new AbortController().signal };
  const store = { client, database: getDatabase(identity, BASE) };
  const hash = createHash('sha256');
  const last = await BASE.input.highest(store, EVERYTHING);
  let rows = 0;
  for (let first = 0; first <= last; first += WINDOW) {
    const range = { first, last: first + WINDOW - 1 };
    const steps = await BASE.input.records(store, range, { ...encoding, ...(cold && { cold }) });
    const lines = [...steps].flatMap(([position, records]) =>
      records.map(
        ({ key, value }) => `${position} ${key} ${createHash('sha256').update(value).digest('hex')}\n`,
      ),
    );
    rows += lines.length;
    // Within a step, the store and the log have another order.
    for (const line of lines.sort()) hash.update(line);
  }
  return `${rows} rows, sum ${hash.digest('hex')}`;
}
