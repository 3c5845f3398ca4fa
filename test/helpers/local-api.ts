import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { DEFAULT_SERVE_SETTINGS, type ServeContext } from '../../src/api/serve-context.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import { chainPort, openContractRunner } from '../../src/cli/compose/chain-port.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { prepareIndex } from '../../src/cli/compose/index-run.ts';
import { controlOf, type LocalnetSettings } from '../../src/cli/compose/localnet.ts';
import { ServedVersion } from '../../src/engine/versions/served-version.ts';
import type { LocalnetControl } from '../../src/localnet/localnet-control.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { startTestServer } from './clickhouse-server.ts';
import { INDEX_SETTINGS } from './index-settings.ts';

/** The API over a local chain that is being indexed, all in this process. */
export interface LocalApi {
  readonly url: string;
  readonly control: LocalnetControl;
  readonly context: ServeContext;
  /** What the code under test logged as warnings and errors. */
  readonly logged: string[];
  close(): Promise<void>;
}

const SETTINGS = { ...INDEX_SETTINGS, source: 'localnet' } as const;

/** How the chain runs. */
type LocalnetChoices = Partial<Pick<LocalnetSettings, 'localnetShards' | 'blockMs' | 'fast'>>;

/** A new chain, its blocks as fast as there is work by default; resolves when the first block is answered from. */
export async function openLocalApi(choices: LocalnetChoices = {}): Promise<LocalApi> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  const server = await startTestServer();
  const shutdown = new Shutdown();
  const logged: string[] = [];
  const keep = (facts: object, text: string) =>
    logged.push(
      `${text} ${JSON.stringify(facts, (_key, value) => (value instanceof Error ? value.stack : value))}`,
    );
  const log = { debug() {}, info() {}, warn: keep, error: keep };
  const session = { log, shutdown, signal: shutdown.signal, owner: `test:${process.pid}` };
  const stop = async () => {
    await shutdown.close(() => {});
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const opened = await openLog(directory, session);
    const { identity, source, run } = await prepareIndex(
      opened,
      server.client,
      { ...SETTINGS, ...choices },
      session,
    );
    const control = controlOf(source)!;
    const served = new ServedVersion({ client: server.reader, identity, projection: BASE }, session);
    await served.start();
    const context: ServeContext = {
      client: server.reader,
      baseDatabase: () => served.database,
      visible: () => served.visible,
      network: { label: 'localnet', testnet: false, zerostate: null, isolated: false },
      settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000 },
      log,
      chain: chainPort(control, openContractRunner(session)),
      health: async () => ({ deadLetters: 0 }),
    };
    const { url, close } = await startServing(context, { host: '127.0.0.1', port: 0 });
    shutdown.add('api', close);
    const running = run({ onCapture() {}, onDecode() {} }).catch((error: unknown) => {
      if (!shutdown.signal.aborted) keep({ error }, 'indexing failed');
    });
    // The zerostate is no block that answers could speak of.
    while ((served.visible?.last ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return {
      url,
      control,
      context,
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
