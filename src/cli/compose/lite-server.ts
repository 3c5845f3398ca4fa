import type { ServeContext } from '../../api/serve-context.ts';
import type { Source, SourceState, Step } from '../../capture/source.ts';
import { LiteChain } from '../../liteserver/chain/lite-chain.ts';
import { globalConfig } from '../../liteserver/global-config.ts';
import type { LiteContext } from '../../liteserver/lite-context.ts';
import { countAnswers } from '../../liteserver/lite-metrics.ts';
import { notLoaded } from '../../liteserver/lite-refusals.ts';
import { LiteServer } from '../../liteserver/lite-server.ts';
import { readServerKey, writeClientConfig } from '../../liteserver/server-files.ts';
import { getControl } from '../../localnet/local-chain.ts';
import type { LocalnetControl } from '../../localnet/localnet-control.ts';
import { OriginError } from '../../localnet/origin/origin-error.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { SettingValues } from '../../platform/config/settings.ts';
import { TvmPool } from '../../tvm/pool/tvm-pool.ts';
import type { Session } from '../session.ts';
import { localMethods } from './local-methods.ts';
import { olderBlocks } from './older-blocks.ts';

export type LiteServerSettings = SettingValues<'host' | 'liteserverPort'>;

/** Longest run of a get method. */
const METHOD_MS = 3_000;

/** The chain that a lite server answers from. */
export interface LiteParts {
  readonly source: Source;
  readonly identity: LogIdentity;
  /** Data directory: it holds the key and gets the configuration for clients. */
  readonly directory: string;
  /** Start states that the source does not have itself. */
  readonly states: readonly SourceState[];
  /** Context of the API: blocks that memory no longer has are read from the index. */
  readonly context: ServeContext;
}

/**
 * Starts the lite server of a session, if it has a port. `onAppended` must be called after each step of the source is in the
 * log: clients see the step then.
 */
export async function startLiteServer(
  { source, identity, directory, states, context: served }: LiteParts,
  settings: LiteServerSettings,
  session: Session,
): Promise<{ readonly port: number; onAppended(step: Step): Promise<void> } | undefined> {
  const { host, liteserverPort: port } = settings;
  if (port === undefined) return undefined;
  const chain = new LiteChain();
  const control = getControl(source);
  const known = [...(await source.describe()).states, ...states].filter(({ id }) => id.seqno === 0);
  chain.take({ mcSeqno: 0, states: known, blocks: [] });
  const { log, shutdown, metrics } = session;
  // A thread of its own: clients of the API do not wait for lite clients.
  const pool = new TvmPool({ threads: 1, timeoutMs: METHOD_MS });
  shutdown.add('get methods of the lite server', () => pool.close());
  const context = buildContext({ chain, control, source, identity, pool, context: served });
  const server = await LiteServer.open(context, {
    host,
    port,
    seed: readServerKey(directory),
    onError: (error, request) => log.error({ request, error }, 'the lite server failed to answer'),
    onAnswer: countAnswers(metrics),
  });
  shutdown.add('lite server', () => server.close());
  const address = { ip: clientAddress(host), port: server.port, publicKey: server.publicKey };
  const config = writeClientConfig(directory, globalConfig([address], context.zerostate));
  const key = Buffer.from(server.publicKey).toString('base64');
  log.info(
    { port: server.port, key, config },
    'lite server is listening; clients take the configuration file',
  );
  if (control)
    seedResumed(chain, control).catch((error: unknown) => {
      if (!session.signal.aborted) log.warn({ error }, 'the lite server has no states until the next block');
    });
  const onAppended = async (step: Step) => {
    if (control && !chain.hasStatesFor(step)) chain.seed(await statesBefore(control, step), step.mcSeqno - 1);
    chain.take(step);
  };
  return { port: server.port, onAppended };
}

/** Gives the chain its newest states before its next block. */
async function seedResumed(chain: LiteChain, control: LocalnetControl): Promise<void> {
  await control.whenResumed();
  const { mcSeqno } = await control.status();
  const states = await control.states(mcSeqno);
  // A step that came meanwhile has newer ones.
  if (chain.head === null)
    chain.seed(
      states.map((boc) => ({ boc })),
      mcSeqno,
    );
}

/** A chain that continues: its states are those of the local chain. */
async function statesBefore(
  control: LocalnetControl,
  { mcSeqno }: Step,
): Promise<{ readonly boc: Uint8Array }[]> {
  return (await control.states(mcSeqno - 1)).map((boc) => ({ boc }));
}

function buildContext({
  chain,
  control,
  source,
  identity,
  pool,
  context,
}: Pick<LiteParts, 'source' | 'identity' | 'context'> & {
  readonly chain: LiteChain;
  readonly control: LocalnetControl | null;
  readonly pool: TvmPool;
}): LiteContext {
  const [rootHash, fileHash] = identity.id.split(':').map((hash) => Buffer.from(hash, 'hex'));
  return {
    chain,
    zerostate: { workchain: -1, shard: 1n << 63n, seqno: 0, rootHash: rootHash!, fileHash: fileHash! },
    older: olderBlocks(context),
    signatures: async (block) =>
      control ? control.signatures(block) : ((await source.signatures?.(block)) ?? null),
    send: control && (async (boc) => toRefusal(await control.send(boc))),
    runMethod: control && localMethods(control, pool),
    load: control?.hasOrigin
      ? (account) => control.touch([account]).catch((error: unknown) => refuse(error))
      : null,
  };
}

/** @throws LiteServerError, or the error itself */
function refuse(error: unknown): never {
  throw error instanceof OriginError ? notLoaded(error.message) : error;
}

type SendOutcome = Awaited<ReturnType<LocalnetControl['send']>>;

function toRefusal(outcome: SendOutcome): string | null {
  return outcome.ok ? null : outcome.detail;
}

/** Address for clients of this machine, unless the server listens at one address. */
function clientAddress(host: string): string {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) && host !== '0.0.0.0' ? host : '127.0.0.1';
}
