import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import { chainPort, openContractRunner } from '../../src/cli/compose/chain-port.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { startDetection } from '../../src/cli/compose/detection/detection.ts';
import { prepareIndex } from '../../src/cli/compose/index-run.ts';
import { buildVector } from '../../src/cli/compose/serving.ts';
import { traceClassifier } from '../../src/cli/compose/trace-classifier.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { ServedProjections } from '../../src/engine/versions/served-projections.ts';
import type { ConfirmedSteps } from '../../src/engine/versions/served-version.ts';
import { getControl, type LocalnetSettings } from '../../src/localnet/local-chain.ts';
import type { LocalnetControl } from '../../src/localnet/localnet-control.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import type { StoreClientOptions } from '../../src/platform/clickhouse/client-options.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { startTestServer } from './clickhouse-server.ts';
import { INDEX_SETTINGS } from './index-settings.ts';
import { DEFAULT_SERVE_SETTINGS } from './serve-settings.ts';

/** The API over a local chain that is being indexed, all in this process. */
export interface LocalApi {
  readonly url: string;
  readonly control: LocalnetControl;
  readonly context: ServeContext;
  /** Writes to the store. */
  readonly client: StoreClient;
  /** Connection of `client`, and the data directory, for other processes. */
  readonly connection: StoreClientOptions;
  readonly directory: string;
  readonly identity: LogIdentity;
  /** The log and the store of a projection, as another process opens them. */
  engine(projection: TableProjection): EngineParts;
  /** Starts detection, as in a server. `client`: writes what it finds. Default: `client` of this value. */
  detect(client?: StoreClient): void;
  /** Warnings and errors that the code under test logged. */
  readonly logged: string[];
  close(): Promise<void>;
}

const SETTINGS = { ...INDEX_SETTINGS, source: 'localnet' } as const;

/** On a busy machine a look of streams or webhooks takes longer than an answer may: that is said, and made up for. */
const LATE =
  /; (they come later|streams send them later|those known go on) .*(DeadlineError|StoreTimeoutError)/;

/** How the chain runs. */
type LocalnetChoices = Partial<
  Pick<LocalnetSettings, 'localnetShards' | 'localnetSignatures' | 'blockMs' | 'fast' | 'traffic'>
>;

/** What runs besides the index. */
interface ApiChoices {
  /** Detection of contracts, as in a server. Default: it does not run. */
  readonly detects?: boolean;
}

/** A new chain, its blocks as fast as there is work by default; resolves when the first block is answered from. */
export async function openLocalApi({
  detects = false,
  ...choices
}: LocalnetChoices & ApiChoices = {}): Promise<LocalApi> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  const server = await startTestServer();
  const shutdown = new Shutdown();
  const logged: string[] = [];
  const keep = (facts: object, text: string) => {
    const line = `${text} ${JSON.stringify(facts, (_key, value) => (value instanceof Error ? value.stack : value))}`;
    if (!LATE.test(line)) logged.push(line);
  };
  const log = { debug() {}, info() {}, warn: keep, error: keep };
  const session = {
    log,
    shutdown,
    signal: shutdown.signal,
    owner: `test:${process.pid}`,
    metrics: new Metrics(),
  };
  const stop = async () => {
    await shutdown.close(() => {});
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const opened = await openLog(directory, session);
    const { identity, source, run } = await prepareIndex(
      { log: opened, client: server.client },
      { ...SETTINGS, ...choices },
      session,
    );
    const control = getControl(source)!;
    const served = await ServedProjections.start({ client: server.reader, identity }, PROJECTIONS, session);
    const context: ServeContext = {
      client: server.reader,
      vector: () => buildVector(served),
      freshen: (reads) => served.freshen(reads),
      network: { label: 'localnet', testnet: false, zerostate: null, isolated: false },
      settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000 },
      log,
      chain: chainPort(control, openContractRunner(session)),
      classifyTrace: traceClassifier(log),
      health: async () => ({ deadLetters: 0 }),
    };
    const { url, close } = await startServing(context, { host: '127.0.0.1', port: 0 });
    shutdown.add('api', close);
    const parts = {
      bus: opened.bus,
      codec: opened.codec,
      client: server.client,
      identity,
      pointers: undefined,
    };
    const onConfirmed = (projection: string, steps: ConfirmedSteps) => served.confirmed(projection, steps);
    const detect = (client: StoreClient = server.client) => {
      startDetection({ ...parts, client, context, sessionMs: SETTINGS.sessionMs, onConfirmed }, session);
    };
    if (detects) detect();
    const running = run({
      onCapture() {},
      onDecode() {},
      onConfirmed: (projection, steps) => served.confirmed(projection, steps),
    }).catch((error: unknown) => {
      if (!shutdown.signal.aborted) keep({ error }, 'indexing failed');
    });
    // The zerostate is no block that answers could speak of.
    while (headOf(context) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return {
      url,
      control,
      context,
      client: server.client,
      connection: server.connection,
      directory,
      identity,
      engine: (projection) => ({ ...parts, projection, owner: `${session.owner}/other`, log }),
      detect,
      logged,
      close: async () => {
        shutdown.request();
        await running;
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The newest masterchain block that answers speak of; 0 while there is none. */
export function headOf(context: ServeContext): number {
  const { base } = context.vector();
  return base.state === 'served' ? base.visible.last : 0;
}
