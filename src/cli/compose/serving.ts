import { INPUT, PROJECTIONS } from '../../../pipelines/projections.ts';
import type { ChainPort } from '../../api/chain-port.ts';
import { unreadableVersion } from '../../api/entities/unreadable-version.ts';
import { HookRecords } from '../../api/hooks/hook-records.ts';
import { HookServer } from '../../api/hooks/hook-server.ts';
import { namingAddress } from '../../api/http/connections/listen-address.ts';
import { isLoopback } from '../../api/http/foreign-requests.ts';
import { readKeys } from '../../api/keys/key-records.ts';
import { KeyRing } from '../../api/keys/key-ring.ts';
import { readLackedTables } from '../../api/query/meta-tables.ts';
import type { ServeContext, ServedNetwork, ServeHealth, ServeSettings } from '../../api/serve-context.ts';
import { startServing } from '../../api/serve-stage.ts';
import type { ServedTables } from '../../api/served-tables.ts';
import { startSqlServer } from '../../api/sql/sql-server.ts';
import type { SqlPort } from '../../api/sql-port.ts';
import { hasBlocks, READ_PROJECTIONS, type VersionVector } from '../../api/version-vector.ts';
import type { LiveSource } from '../../capture/liteserver/liteserver-source.ts';
import { addLiveMetrics, liveReport } from '../../capture/liteserver/live-report.ts';
import { getLive } from '../../capture/liteserver/live-settings.ts';
import type { Source } from '../../capture/source.ts';
import { DeadLetterCount } from '../../engine/dead-letters/dead-letter-count.ts';
import { withNeeded } from '../../engine/demand/needed-projections.ts';
import type { ReadDemand } from '../../engine/demand/read-demand.ts';
import { lagByGroup } from '../../engine/status/group-lag.ts';
import { cacheIndexFacts, type IndexFacts } from '../../engine/status/index-report.ts';
import { addDeadLetterMetric } from '../../engine/status/log-metrics.ts';
import { StoreConditionWatch } from '../../engine/status/store-condition.ts';
import { addStoreMetrics, type StoredVersion } from '../../engine/status/store-metrics.ts';
import { Turn } from '../../engine/turns/turn.ts';
import type { PointerWatch } from '../../engine/versions/pointer-watch.ts';
import { ServedProjections } from '../../engine/versions/served-projections.ts';
import type { ConfirmedSteps } from '../../engine/versions/served-version.ts';
import { getDatabase } from '../../engine/versions/version-names.ts';
import type { LocalnetControl } from '../../localnet/localnet-control.ts';
import type { Bus, LogIdentity } from '../../log/port.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { readableSecrets } from '../../platform/clickhouse/readable-secrets.ts';
import { readGroupPlace } from '../../platform/config/group-place.ts';
import type { SettingsIn, SettingValues } from '../../platform/config/settings.ts';
import { withLateStates } from '../../projections/records/late-start-lts.ts';
import { parseStartLts } from '../../ton/decode/start-lts.ts';
import { fromHex } from '../../ton/hash/hex.ts';
import { isTestnet } from '../../ton/test-network.ts';
import type { Session } from '../session.ts';
import { chainPort, openContractRunner } from './chain-port.ts';
import { startDetection } from './detection/detection.ts';
import { startProver } from './integrity.ts';
import { type LakeStore, openLake } from './lake.ts';
import { sealedBlocks } from './log/sealed-blocks.ts';
import { type ReadIndex, startLookUpIndex } from './lookup/look-up-index.ts';
import { openMetadata } from './metadata.ts';
import { showMetrics } from './metrics.ts';
import { projectionsOfLog, type WrittenBy } from './projections.ts';
import { openCounts, type RateSettings } from './rate-counts.ts';
import type { AnalystAccess } from './store.ts';
import { traceClassifier } from './trace-classifier.ts';
import { openBodies } from './user-bodies.ts';

export type ServingSettings = SettingsIn<'api' | 'limits' | 'metrics' | 'serve' | 'tokens'> &
  SettingValues<'lakeDatabase' | 'sessionMs'> &
  RateSettings &
  WrittenBy;

/** The API as it runs. */
export interface Serving {
  readonly url: string;
  /** What answers are made from. */
  readonly context: ServeContext;
  /** True if a block is visible, so requests can be answered. */
  isAnswerable(): boolean;
  /** Steps of a projection were confirmed, in this process: they are visible without a look at the store. */
  confirmed(projection: string, steps: ConfirmedSteps): void;
}

const MAX_LIMIT = 1_000;

/** The index that answers come from. */
export interface ServedIndex {
  readonly identity: LogIdentity;
  readonly bus: Bus;
  readonly codec: AvroCodec;
  /** Answers: it reads only. */
  readonly reader: StoreClient;
  /** Looks at the server itself. */
  readonly client: StoreClient;
  /** The local chain, which takes messages. Null: get methods run on what is stored, and no messages are taken. */
  readonly control?: LocalnetControl | null;
  /** The data directory. */
  readonly directory: string;
  /** Source of the index, which may know signatures of its blocks. */
  readonly source?: Source;
  /** How analysts reach the store. Absent: the server has no SQL. */
  readonly analysts?: AnalystAccess;
  /** Shared with those who follow the versions to write them. Default: its own. */
  readonly pointers?: PointerWatch;
  /** Lanes of this process that idle without requests. */
  readonly demand?: ReadDemand | undefined;
}

/** Starts the API for this session. Resolves when it listens; it returns 503 until a block is visible. */
export async function serveStore(
  { directory, analysts, control = null, source, demand, pointers, ...store }: ServedIndex,
  settings: ServingSettings,
  session: Session,
): Promise<Serving> {
  const { identity, bus, codec, reader, client } = store;
  const unreadable = (projection: string, database: string, tables: ServedTables | null) =>
    unreadableVersion(reader, projection, database, tables);
  const served = await ServedProjections.start(
    { client: reader, identity, unreadable, ...(pointers && { pointers }) },
    projectionsOfLog('all', PROJECTIONS, identity),
    session,
  );
  const deadLetters = new DeadLetterCount(bus);
  const condition = new StoreConditionWatch(store, () => databaseIn(served, identity), INPUT.audit, session);
  condition.start();
  const { metrics } = session;
  await showMetrics(bus, settings, session);
  const live = getLive(source);
  if (live) addLiveMetrics(metrics, live);
  addDeadLetterMetric(metrics, () => deadLetters.read());
  addStoreMetrics(metrics, client, () => servedVersions(served));
  const serveSettings = toServeSettings(settings);
  const { keylessLimit } = serveSettings;
  const metadata = await openMetadata({ network: identity.network, reader, client }, settings, session);
  const lackedTables = await readLackedTables(reader, identity.network);
  warnOfLack([...lackedTables], session);
  if (reader !== client) await warnOfSecrets(reader, identity, session);
  const integrity = startProver(served, { client, identity }, session);
  const sql = analysts && (await openSql({ client, identity, access: analysts, served }, settings, session));
  const indexFacts = cacheIndexFacts(
    projectionsOfLog('all', PROJECTIONS, identity).map((projection) => ({ client, identity, projection })),
  );
  const lookUps = await startLookUpIndex({ served, identity, client: reader, directory }, settings, session);
  const chain = chainPort(control, openContractRunner(session, settings), source);
  const context: ServeContext = {
    sql,
    integrity: { proofs: () => integrity.proofs, isStoreDamaged: () => condition.isDamaged },
    keys: keylessLimit === null ? undefined : await openKeys(client, identity, session),
    rateCounts: keylessLimit === null ? undefined : await openCounts(settings, identity, session),
    metrics,
    peers: session.peers,
    client: reader,
    vector: () => buildVector(served),
    freshen: async (reads) => {
      // Headers and times of blocks are read from the first projection, whatever the answer is.
      await demand?.activate(withNeeded([INPUT.name, ...reads], PROJECTIONS));
      await served.freshen(reads);
    },
    getTables: (database) => served.getTables(database),
    refused: () => served.refused,
    waits: () => session.waits?.oldest ?? null,
    network: servedNetwork(await withLateStates(reader, identity)),
    settings: serveSettings,
    log: session.log,
    chain,
    classifyTrace: traceClassifier(session.log, {
      ...(settings.actionRules && { release: settings.actionRules }),
      isTestnet: isTestnet(identity),
    }),
    bodies: openBodies(settings.abi),
    ...(metadata && { metadata }),
    ...(lookUps && { lookUps }),
    sealedBlocks: sealedBlocks({ bus, codec }),
    lackedTables,
    health: () => readHealth({ bus, deadLetters, condition, live, chain, lookUps, indexFacts }),
  };
  const { url, close } = await namingAddress(settings, () => startServing(context, settings));
  session.shutdown.add('api', close);
  await serveSql(context, settings, session);
  if (settings.deliverHooks) await deliverHooks(context, { identity, bus, client }, session);
  const { sessionMs } = settings;
  const parts = { context, bus, codec, client, identity, pointers, sessionMs };
  return {
    url,
    context,
    isAnswerable: () => isAnswerable(served, context),
    confirmed: startDetection({ ...parts, onConfirmed: notifyConfirmed(served, lookUps) }, session),
  };
}

/** Makes steps visible that this process confirmed, and wakes the look-up index. */
function notifyConfirmed(served: ServedProjections, lookUps: ReadIndex | null): Serving['confirmed'] {
  return (projection, steps) => {
    served.confirmed(projection, steps);
    lookUps?.wake(projection);
  };
}

interface HealthParts {
  readonly bus: Bus;
  readonly deadLetters: DeadLetterCount;
  readonly condition: StoreConditionWatch;
  readonly live: LiveSource | null;
  readonly chain: ChainPort;
  readonly lookUps: ReadIndex | null;
  readonly indexFacts: () => Promise<IndexFacts>;
}

/** Facts of all stages for `/healthz`. */
async function readHealth(parts: HealthParts): Promise<ServeHealth> {
  const { bus, deadLetters, condition, live, chain, lookUps, indexFacts } = parts;
  return {
    deadLetters: await deadLetters.read(),
    isDamaged: condition.isDamaged,
    facts: {
      store: condition.current,
      lag: await lagByGroup(bus),
      ...(live && { live: liveReport(live) }),
      ...(chain.controls && { controls: '/localnet' }),
      ...(lookUps && { lookupIndex: lookUps.facts }),
      // A slow store has no facts; the rest of the report remains.
      ...(await indexFacts().catch(() => ({}))),
    },
  };
}

function isAnswerable(served: ServedProjections, { network }: ServeContext): boolean {
  const view = served.view(INPUT.name);
  return view.state === 'served' && (network.isolated || hasBlocks(view.visible));
}

/** Warns of tables that the store of an older release lacks. */
function warnOfLack(tables: readonly string[], { log }: Session): void {
  if (tables.length > 0)
    log.warn(
      { tables },
      'the store is of an older release: the rows of these tables are not served until `tonhouse migrate`',
    );
}

/** Warns of secrets that the reading user of the store can read. */
async function warnOfSecrets(reader: StoreClient, { network }: LogIdentity, { log }: Session): Promise<void> {
  const tables = await readableSecrets(reader, network);
  if (tables.length > 0)
    log.warn(
      { tables },
      'the user of --clickhouse-read-user can read secrets: copy clickhouse/reader.xml of this release to the ClickHouse servers',
    );
}

/** Resolves `auto`. */
function toServeSettings(settings: ServingSettings): ServeSettings {
  const keylessLimit = getKeylessLimit(settings);
  return toPartOfGroup({
    ...settings,
    maxLimit: MAX_LIMIT,
    keylessLimit,
    idleConnections: getIdleConnections(settings, keylessLimit),
    streamConnections: getStreamConnections(settings, keylessLimit),
  });
}

/** The part of one of several processes in what all of them may have together. */
function toPartOfGroup(settings: ServeSettings): ServeSettings {
  const processes = readGroupPlace()?.count ?? 1;
  const part = (limit: number) => Math.ceil(limit / processes);
  const { idleConnections } = settings;
  return {
    ...settings,
    maxConnections: part(settings.maxConnections),
    idleConnections: idleConnections === null ? null : part(idleConnections),
    storeStatements: part(settings.storeStatements),
    responseCacheMb: part(settings.responseCacheMb),
  };
}

/** How analysts read the store: the views of the lake, kept over the served versions. */
function openSql(
  { served, ...store }: Omit<LakeStore, 'vector'> & { readonly served: ServedProjections },
  { lakeDatabase: lake, sqlStatements: statements }: ServingSettings,
  session: Session,
): Promise<SqlPort> {
  return openLake({ ...store, vector: () => buildVector(served) }, { lake, statements }, session);
}

/** Offers SQL on a port of its own, if one is set. */
async function serveSql(
  context: ServeContext,
  { host, sqlPort: port }: Pick<ServingSettings, 'host' | 'sqlPort'>,
  { shutdown, log }: Session,
): Promise<void> {
  const { sql } = context;
  if (port === undefined || !sql) return;
  const { url, close } = await namingAddress({ prefix: 'sql', host, port }, () =>
    startSqlServer(context, sql, { host, port }),
  );
  shutdown.add('sql', close);
  log.info({ sql: url }, 'answering SQL');
}

/** Usual limit of clients without a key: none where only this machine reaches the server (the contract has 1). */
function getKeylessLimit({ keylessLimit, host, trustedProxy }: ServingSettings): number | null {
  if (keylessLimit !== 'auto') return keylessLimit;
  return isLoopback(host) && trustedProxy.length === 0 ? null : 1;
}

/** Usual limit of idle connections: a tenth of all, where limits are kept at all. */
function getIdleConnections(
  { idleConnections }: ServingSettings,
  keylessLimit: number | null,
): number | null {
  if (idleConnections !== 'auto') return idleConnections;
  return keylessLimit === null ? null : 100;
}

/** Default limit of streams: the limit of a free key of the contract, if limits are on. */
function getStreamConnections(
  { streamConnections }: ServingSettings,
  keylessLimit: number | null,
): number | null {
  if (streamConnections !== 'auto') return streamConnections;
  return keylessLimit === null ? null : 2;
}

/** A process that delivers and is silent for so long is followed by another, ms. */
const HOOKS_SESSION_MS = 60_000;

/** Delivers the webhooks of the network until the session ends, while no other process does. */
async function deliverHooks(
  context: ServeContext,
  { identity, bus, client }: Pick<ServedIndex, 'identity' | 'bus' | 'client'>,
  { log, owner, shutdown }: Session,
): Promise<void> {
  const turn = await Turn.join(bus, { name: 'webhooks', owner, sessionMs: HOOKS_SESSION_MS, log });
  if (turn.leftMs === 0) log.info({}, 'another process delivers the webhooks; this one does when that ends');
  const hooks = new HookServer(context, new HookRecords(client, identity.network), { turn });
  hooks.start();
  shutdown.add('webhooks', async () => {
    await hooks.close();
    await turn.close();
  });
}

/** The keys of the network, kept up to date for this session. */
async function openKeys(client: StoreClient, { network }: LogIdentity, session: Session): Promise<KeyRing> {
  const keys = new KeyRing({ network, read: () => readKeys(client, network), log: session.log });
  await keys.start();
  session.shutdown.add('keys', () => keys.close());
  return keys;
}

/** Version and visible range of all projections that the API reads, at one moment. */
export function buildVector(served: ServedProjections): VersionVector {
  return Object.fromEntries(READ_PROJECTIONS.map((name) => [name, served.view(name)])) as VersionVector;
}

/** Databases of the versions that are answered from. */
function servedVersions(served: ServedProjections): StoredVersion[] {
  return READ_PROJECTIONS.flatMap((projection) => {
    const view = served.view(projection);
    return view.state === 'off' ? [] : [{ projection, database: view.database }];
  });
}

/** Database of the served version of `base`. */
function databaseIn(served: ServedProjections, identity: LogIdentity): string {
  const view = served.view(INPUT.name);
  return view.state === 'off' ? getDatabase(identity, INPUT) : view.database;
}

function servedNetwork(identity: LogIdentity): ServedNetwork {
  const { network, id, facts } = identity;
  const [rootHash, fileHash] = id.split(':').map((hash) => fromHex(hash));
  return {
    label: network,
    testnet: isTestnet(identity),
    zerostate: rootHash?.length === 32 && fileHash?.length === 32 ? { rootHash, fileHash } : null,
    isolated: facts.continuity === 'isolated',
    ...(facts.start_lt && facts.start_lt !== '0' && { starts: parseStartLts(facts.start_lt) }),
  };
}
