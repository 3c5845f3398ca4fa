import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServeContext, ServeSettings } from '../../src/api/serve-context.ts';
import type { VisibleRange } from '../../src/api/version-vector.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { decodeBlock } from '../../src/ton/decode/decode-block.ts';
import { decodeState } from '../../src/ton/decode/decode-state.ts';
import { type ChainBlock, readChainBlocks } from './chain-blocks.ts';
import { startTestServer, type TestServer, testDatabaseGuard } from './clickhouse-server.ts';
import { addAccount, ContractsOfStore } from './contracts-of-store.ts';
import { DEFAULT_SERVE_SETTINGS } from './serve-settings.ts';
import { baseVector, viewOf } from './version-vector.ts';

export interface IndexedStoreOptions {
  /** Folders of block BoCs. */
  readonly folders: readonly string[];
  /** Only files whose names have one of these texts. */
  readonly only?: readonly string[];
  /** Shard states to begin with. */
  readonly states?: readonly string[];
  readonly testnet?: boolean;
  readonly settings?: Partial<ServeSettings>;
  /** Default: all masterchain seqnos of the blocks. */
  readonly visible?: VisibleRange | null;
  /** Blocks without their predecessors: earlier states come from their old sides. */
  readonly isolated?: boolean;
  /** Also the projection `contracts`, as of the same states and blocks. */
  readonly contracts?: boolean;
  /** Accounts that no state has: their Account cells as bags, at masterchain seqno 0. */
  readonly accounts?: readonly Uint8Array[];
}

/** Real blocks in a real ClickHouse, as decoding and the sink leave them. */
export interface IndexedStore {
  /** Url, user and password of the owner. */
  readonly connection: TestServer['connection'];
  readonly client: StoreClient;
  /** Database of `contracts`, if it is indexed. */
  readonly contracts: string | null;
  /** Database of `detections`, with `contracts`; nothing is detected. */
  readonly detections: string | null;
  readonly database: string;
  readonly context: ServeContext;
  readonly blocks: readonly ChainBlock[];
  /** Changes what the API may see. */
  show(range: VisibleRange | null): void;
  /** Log lines of the code under test: warnings and errors are failures unless a test expects them. */
  readonly logged: string[];
  close(): Promise<void>;
}

const ROOT = resolve(import.meta.dirname, '../..');
const NETWORK = 'serve_test';
/** Small, so that sets cross epochs. */
const EPOCH_SIZE = 40;
const EVERY_OLD_STATE = (1n << 64n) - 1n;

/** Starts a server of its own, migrates it and indexes the blocks; `close()` removes all of it. */
export async function openIndexedStore(options: IndexedStoreOptions): Promise<IndexedStore> {
  if (process.env.TEST_SHARED_MODULES)
    throw new Error(
      'a file with an indexed store needs a process of its own: see WITH_STORES in vitest.config.ts',
    );
  const server = await startTestServer();
  try {
    const { client } = server;
    await migrate(client, {
      network: NETWORK,
      projection: 'base',
      version: 1,
      directory: resolve(ROOT, 'clickhouse'),
      epochSize: EPOCH_SIZE,
    });
    const database = testDatabaseGuard(versionDatabase(NETWORK, 'base', 1));
    const contracts = options.contracts ? await ContractsOfStore.create(client, NETWORK, EPOCH_SIZE) : null;
    const detections = contracts && (await createDetections(client));
    const blocks = options.folders.flatMap((folder) => readChainBlocks(folder, options.only));
    await insertAll({ client, database, contracts }, blocks, options);
    const logged: string[] = [];
    let visible = options.visible === undefined ? wholeRange(blocks) : options.visible;
    const context = makeContext(server.reader, database, options, () => visible, { logged, contracts });
    const show = (range: VisibleRange | null) => {
      visible = range;
    };
    return {
      connection: server.connection,
      client,
      database,
      contracts: contracts?.database ?? null,
      detections,
      context,
      blocks,
      show,
      logged,
      close: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function createDetections(client: StoreClient): Promise<string> {
  const directory = resolve(ROOT, 'clickhouse');
  const version = { network: NETWORK, projection: 'detections', version: 1, directory };
  await migrate(client, { ...version, epochSize: EPOCH_SIZE });
  return testDatabaseGuard(versionDatabase(NETWORK, 'detections', 1));
}

/** The context of a server that uses the detections of the store. */
export function withDetections({
  context,
  detections,
}: Pick<IndexedStore, 'context' | 'detections'>): ServeContext {
  if (detections === null) throw new Error('a store with contracts expected');
  const vector = () => ({
    ...context.vector(),
    detections: viewOf(detections, { first: 0, last: 2 ** 32 - 1 }),
  });
  return { ...context, vector };
}

/** One batch an epoch, as the decode stage writes them. */
async function insertAll(
  store: InsertedStore,
  blocks: readonly ChainBlock[],
  { states = [], accounts = [], isolated = false }: IndexedStoreOptions,
): Promise<void> {
  const columns = new BaseColumns();
  for (const file of states) decodeState(new Uint8Array(readFileSync(file)), 0, columns);
  for (const bag of accounts) addAccount(columns, bag);
  await insertColumns(store, columns);
  const epochs = Map.groupBy(blocks, ({ meta }) => Math.floor(meta.mcSeqno / EPOCH_SIZE));
  for (const epoch of epochs.values()) {
    for (const { bytes, meta } of [...epoch].sort((a, b) => a.meta.mcSeqno - b.meta.mcSeqno)) {
      const oldStatesBelowLt = isolated ? EVERY_OLD_STATE : 0n;
      const at = { ...meta, indexedFromLt: oldStatesBelowLt };
      decodeBlock(bytes, at, columns, { verify: 'none', oldStatesBelowLt });
    }
    await insertColumns(store, columns);
  }
}

interface InsertedStore {
  readonly client: StoreClient;
  readonly database: string;
  readonly contracts: ContractsOfStore | null;
}

async function insertColumns(
  { client, database, contracts }: InsertedStore,
  columns: BaseColumns,
): Promise<void> {
  await contracts?.insert(columns);
  for (const table of Object.values(columns.tables)) {
    if (table.rows === 0) continue;
    await client.insertNative(`${database}.land_${table.name}`, encodeNativeBlock(table), { route: 'test' });
  }
  columns.reset();
}

function wholeRange(blocks: readonly ChainBlock[]): VisibleRange | null {
  const seqnos = blocks.map(({ meta }) => meta.mcSeqno);
  return seqnos.length === 0 ? null : { first: Math.min(...seqnos), last: Math.max(...seqnos) };
}

function makeContext(
  client: StoreClient,
  database: string,
  { testnet = false, settings, isolated = false }: IndexedStoreOptions,
  visible: () => VisibleRange | null,
  { logged, contracts }: { readonly logged: string[]; readonly contracts: ContractsOfStore | null },
): ServeContext {
  const keep = (facts: object, text: string) => logged.push(`${text} ${JSON.stringify(facts)}`);
  return {
    client,
    vector: () => ({
      ...baseVector(database, visible()),
      ...(contracts && { contracts: viewOf(contracts.database, visible()) }),
    }),
    network: { label: NETWORK, testnet, zerostate: null, isolated },
    settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000, ...settings },
    log: { info: () => {}, warn: keep, error: keep },
    health: async () => ({ deadLetters: 0 }),
  };
}
