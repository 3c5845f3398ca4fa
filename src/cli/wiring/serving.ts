import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { WatermarkReader } from '../../platform/clickhouse/watermark/watermark-reader.ts';
import type { ServeContext, ServedNetwork, ServeSettings } from '../../stages/serve/serve-context.ts';
import { startServing } from '../../stages/serve/serve-stage.ts';
import { fromHex } from '../../ton/hash/hex.ts';
import { openDeadLetters } from './dead-letter-list.ts';
import { servedDatabase } from './projection.ts';
import type { Session } from './session.ts';
import { readVisibleSpan } from './visible-span.ts';

export interface ServingSettings {
  readonly host: string;
  readonly port: number;
  readonly defaultLimit: number;
  readonly queryTimeoutMs: number;
  readonly blockIdTag: ServeSettings['blockIdTag'];
}

const MAX_LIMIT = 1_000;
/** How often the pointer and, of unrelated blocks, the visible span are looked up. */
const LOOK_MS = 250;

/** Starts the API for this session; resolves with its address once it answers. */
export async function serveStore(
  client: StoreClient,
  identity: LogIdentity,
  bus: Bus,
  settings: ServingSettings,
  session: Session,
): Promise<string> {
  const served = await followServed(client, identity, session);
  const context: ServeContext = {
    client,
    baseDatabase: () => served.database,
    visible: () => served.visible(),
    network: servedNetwork(identity),
    settings: {
      defaultLimit: settings.defaultLimit,
      maxLimit: MAX_LIMIT,
      blockIdTag: settings.blockIdTag,
      queryTimeoutMs: settings.queryTimeoutMs,
    },
    log: session.log,
    health: async () => ({
      deadLetters: (await openDeadLetters(bus)).length,
      facts: { lag: await lagByGroup(bus) },
    }),
  };
  const { url, close } = await startServing(context, settings);
  session.shutdown.add('api', close);
  return url;
}

/** Mainnet's masterchain sets no test flag; neither does a network that nobody calls a test network. */
function servedNetwork({ network, id, facts }: LogIdentity): ServedNetwork {
  const [rootHash, fileHash] = id.split(':').map((hash) => fromHex(hash));
  return {
    label: network,
    testnet: facts.global_id === '-3' || network.startsWith('testnet'),
    zerostate: rootHash?.length === 32 && fileHash?.length === 32 ? { rootHash, fileHash } : null,
    isolated: facts.continuity === 'isolated',
  };
}

async function lagByGroup(bus: Bus): Promise<Record<string, number>> {
  const lag: Record<string, number> = {};
  for (const { group, committed, end } of await bus.lag()) lag[group] = (lag[group] ?? 0) + end - committed;
  return lag;
}

interface Served {
  /** Database of the served version of `base`. */
  readonly database: string;
  visible(): { first: number; last: number } | null;
}

/** Follows which version is served and what of it is visible, in the background, until the session ends. */
async function followServed(client: StoreClient, identity: LogIdentity, session: Session): Promise<Served> {
  const database = await servedDatabase(client, identity);
  const onError = (error: unknown) => session.log.warn({ error }, 'the visible range could not be read');
  if (identity.facts.continuity !== 'isolated') {
    const watermark = new WatermarkReader({ client, database, pollMs: 50, onError });
    await watermark.start();
    session.shutdown.add('watermark', () => watermark.stop());
    return { database, visible: () => watermark.current };
  }
  const state = { span: await readVisibleSpan(client, database) };
  void (async () => {
    while (!session.signal.aborted) {
      await sleep(LOOK_MS);
      state.span = await readVisibleSpan(client, database).catch((error: unknown) => {
        onError(error);
        return state.span;
      });
    }
  })();
  return { database, visible: () => state.span };
}
