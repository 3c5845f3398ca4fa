import { BASE } from '../../../pipelines/base.ts';
import type { CorsChoice } from '../../api/cors-choice.ts';
import type { ServeContext, ServedNetwork, ServeSettings } from '../../api/serve-context.ts';
import { startServing } from '../../api/serve-stage.ts';
import { DeadLetterCount } from '../../engine/dead-letters/dead-letter-count.ts';
import { ServedVersion } from '../../engine/versions/served-version.ts';
import type { LocalnetControl } from '../../localnet/localnet-control.ts';
import type { Bus, LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { fromHex } from '../../ton/hash/hex.ts';
import type { Session } from '../session.ts';
import { chainPort, openContractRunner } from './chain-port.ts';
import { namingAddress } from './listen-address.ts';
import { StoreConditionWatch } from './store-condition.ts';

export interface ServingSettings {
  readonly host: string;
  readonly port: number;
  readonly defaultLimit: number;
  readonly queryTimeoutMs: number;
  readonly storeStatements: number;
  readonly responseCacheMb: number;
  readonly tvmThreads: number | 'auto';
  readonly maxConnections: number;
  readonly allowedHost: readonly string[];
  readonly cors: CorsChoice;
  readonly blockIdTag: ServeSettings['blockIdTag'];
}

/** The API as it runs. */
export interface Serving {
  readonly url: string;
  /** Something was confirmed, in this process: answers need not wait for the next look at the store. */
  nudge(): void;
}

const MAX_LIMIT = 1_000;

/**
 * Starts the API for this session; resolves once it answers. `client` reads only; `owner` may look at the server itself. Messages go to the local chain of
 * `control`; without one get methods run on what is stored, and no messages are taken.
 */
export async function serveStore(
  client: StoreClient,
  identity: LogIdentity,
  bus: Bus,
  settings: ServingSettings,
  session: Session,
  control: LocalnetControl | null = null,
  owner: StoreClient = client,
): Promise<Serving> {
  const served = new ServedVersion({ client, identity, projection: BASE }, session);
  await served.start();
  const letters = new DeadLetterCount(bus);
  const condition = new StoreConditionWatch(owner, () => served.database, session);
  condition.start();
  const context: ServeContext = {
    client,
    baseDatabase: () => served.database,
    visible: () => served.visible,
    network: servedNetwork(identity),
    settings: {
      defaultLimit: settings.defaultLimit,
      maxLimit: MAX_LIMIT,
      blockIdTag: settings.blockIdTag,
      queryTimeoutMs: settings.queryTimeoutMs,
      storeStatements: settings.storeStatements,
      responseCacheBytes: settings.responseCacheMb * 1024 * 1024,
      maxConnections: settings.maxConnections,
      allowedHosts: settings.allowedHost,
      cors: settings.cors,
    },
    log: session.log,
    chain: chainPort(control, openContractRunner(session, settings.tvmThreads)),
    health: async () => ({
      deadLetters: await letters.look(),
      isDamaged: condition.isDamaged,
      facts: { store: condition.current, lag: await lagByGroup(bus) },
    }),
  };
  const { url, close } = await namingAddress(settings, () => startServing(context, settings));
  session.shutdown.add('api', close);
  return { url, nudge: () => served.nudge() };
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
