import type { ServeContext } from '../../src/api/serve-context.ts';
import { MethodDetection } from '../../src/cli/compose/detection/method-detection.ts';
import type { NewRecord } from '../../src/engine/projection/stored-input.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import { DetectionFeed } from '../../src/projections/detections/detection-feed.ts';
import { OutcomeMaker } from '../../src/projections/detections/detections-rows.ts';
import { packRecords } from '../../src/projections/records/pack-records.ts';
import { SCHEMAS } from '../../src/projections/records/schemas.ts';
import { DETECTION_TABLES } from '../../src/tables/detections.ts';
import type { IndexedStore } from './indexed-store.ts';
import { headOf } from './local-api.ts';

/** The projection `detections` of a store that is filled by hand: outcomes become rows without a log. */
export class StoreDetection {
  readonly #store: IndexedStore & { readonly contracts: string; readonly detections: string };
  readonly #methods: MethodDetection;
  readonly #feed: DetectionFeed;
  readonly #codec = new AvroCodec(loadSchemas(SCHEMAS));

  constructor(store: IndexedStore, context: ServeContext) {
    const { client, contracts, detections, database: states } = store;
    if (contracts === null || detections === null) throw new Error('a store with contracts expected');
    this.#store = { ...store, contracts, detections };
    this.#methods = new MethodDetection(context);
    const { detectToken, detectContract, findCells } = this.#methods;
    this.#feed = new DetectionFeed({
      client,
      network: context.network.label,
      sources: () => ({ states, detections, steps: { first: 0, last: headOf(context) }, first: 0 }),
      tail: async () => -1,
      ...{ detectToken, detectContract, findCells },
    });
  }

  /** Runs in the TVM so far. */
  get runs(): number {
    return this.#methods.runs;
  }

  /** Examines everything up to the head; returns how many outcomes the records have. */
  async pass(): Promise<number> {
    const { client, contracts, context } = this.#store;
    const position = headOf(context);
    const range = { first: position, last: position };
    const encoding = {
      codec: this.#codec,
      network: context.network.label,
      signal: new AbortController().signal,
    };
    for (;;) {
      const records = await this.#feed.records({ client, database: contracts }, range, encoding);
      const own = records.get(position);
      if (!own) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      return insertRecords(this.#store, own);
    }
  }

  close(): Promise<void> {
    return this.#methods.close();
  }
}

const OUTCOMES: ReadonlySet<string> = new Set(Object.keys(DETECTION_TABLES));

/** Inserts the rows of records as the sink does; returns the number of outcomes. */
export async function insertRecords(
  { client, detections }: Pick<IndexedStore, 'client' | 'detections'>,
  records: readonly NewRecord[],
): Promise<number> {
  if (detections === null) throw new Error('a store with contracts expected');
  const everything = { partition: 0, partitions: 1, next: 2 ** 32 };
  const maker = new OutcomeMaker({ client, database: detections, ...everything });
  const parts = packRecords(
    records.map(({ value }) => value),
    null,
  );
  await maker.prepare([parts]);
  const rows = maker.createRowSet();
  rows.append(parts);
  for (const table of rows.tables)
    if (table.rows > 0)
      await client.insertNative(`${detections}.land_${table.name}`, encodeNativeBlock(table), {
        route: 'test',
      });
  return rows.tables.reduce((sum, { name, rows: count }) => sum + (OUTCOMES.has(name) ? count : 0), 0);
}
