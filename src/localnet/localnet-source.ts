import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSourceState } from '../capture/read-state.ts';
import type { ChainTip, Source, SourceFacts, SourceState, Step } from '../capture/source.ts';
import type { Log } from '../platform/observability/log.ts';
import { parseBoc } from '../ton/boc/boc.ts';
import { toHex } from '../ton/hash/hex.ts';
import { EngineClient } from './engine/engine-client.ts';
import type { EngineOptions } from './engine/engine-options.ts';
import { GENESIS } from './engine/open-chain.ts';
import { type Pace, Pacer } from './engine/pacer.ts';
import { LocalnetControl } from './localnet-control.ts';
import { nextStep } from './next-step.ts';
import { LateLoading } from './origin/late-loading.ts';
import { type OpenOrigin, openOrigin } from './origin/open-origin.ts';
import type { OriginOptions } from './origin/origin-servers.ts';
import { BlockSigner, type SignatureForm } from './validator/block-signer.ts';

/** `global_id` of localnet: not used by any other network. Parameter 19 and the ids of v5 wallets contain it. */
export const LOCALNET_GLOBAL_ID = -1000;

export interface LocalnetOptions {
  /** Folder of the chain's state. */
  readonly directory: string;
  /** Seed of keys, genesis and random seeds. Default `localnet`. */
  readonly seed?: string;
  /** Shards of the basechain, 1 to 4. Default 1. */
  readonly shards?: number;
  /** Default 400 ms between blocks with work, 2 s without. */
  readonly pace?: Pace;
  /** Made-up transactions a second. Default 0. */
  readonly traffic?: number;
  /** Transactions of a block. Default 2,000. */
  readonly limit?: number;
  /** Seconds between blocks instead of the machine's clock: two runs then make the same blocks. */
  readonly secondsPerBlock?: number;
  /** Unix time of the zerostates. Default: the time of the first start. */
  readonly genesisUtime?: number;
  /** Form of the signatures of masterchain blocks. Default `ordinary`. */
  readonly signatures?: SignatureForm;
  /**
   * BoC files, and folders of them, with accounts of another network that a new chain begins with. A chain that exists must
   * have begun with the same content. Default none.
   */
  readonly fork?: readonly string[];
  /** The network whose accounts are loaded when they are needed. Default none. */
  readonly origin?: OriginOptions;
  /** Log of failed steps and of messages that cannot be executed. Default none. */
  readonly log?: Log;
}

/** A source with the means to act on its chain. */
export interface LocalnetSource extends Source {
  readonly control: LocalnetControl;
}

const PACE: Pace = { blockMs: 400, idleMs: 2_000 };
const LIMIT = 2_000;
const NAME = 'localnet';

/**
 * A chain that makes its own blocks: real contracts executed by the real TVM. Its first step has its zerostates. It
 * continues after the end of the log and never ends.
 *
 * @throws EngineCallError the folder belongs to another chain, or the options are invalid
 */
export async function openLocalnetSource(options: LocalnetOptions): Promise<LocalnetSource> {
  const { seed = 'localnet', shards = 1, pace = PACE, traffic = 0, limit = LIMIT, log = null } = options;
  const isNew = !existsSync(join(options.directory, GENESIS));
  const origin = options.origin ? await openOrigin(options.origin, { isNew, log }) : null;
  const client = await startEngine(origin, {
    directory: options.directory,
    seed,
    shards,
    globalId: LOCALNET_GLOBAL_ID,
    genesisUtime: options.genesisUtime ?? null,
    limit,
    secondsPerBlock: options.secondsPerBlock ?? null,
    traffic,
    fork: options.fork ?? [],
    origin: origin?.engine ?? null,
  });
  const pacer = new Pacer(pace);
  await announceFork(client, origin, log);
  const contracts = await client.call('contracts');
  const signer = new BlockSigner(seed, options.signatures ?? 'ordinary');
  const late = origin && new LateLoading({ client, accounts: origin.accounts, log });
  const facts = { seed, globalId: LOCALNET_GLOBAL_ID, contracts, signer, late };
  const control = new LocalnetControl(client, pacer, facts);
  const states = (await client.call('zerostates')).map((boc) => readSourceState(parseBoc(boc), NAME));
  return {
    name: NAME,
    finite: false,
    continuity: 'chain',
    control,
    describe: async () => describe(states),
    steps: (after, signal) => steps({ client, pacer, control, late, states, log }, after, signal),
    close: async () => {
      await origin?.accounts.close();
      await client.close();
    },
  };
}

/** Starts the engine; closes the origin if it does not open. */
async function startEngine(origin: OpenOrigin | null, options: EngineOptions): Promise<EngineClient> {
  try {
    return await EngineClient.start(options);
  } catch (error) {
    await origin?.accounts.close();
    throw error;
  }
}

/** Logs what was loaded by `--fork`, and what was left out. */
async function announceFork(client: EngineClient, origin: OpenOrigin | null, log: Log | null): Promise<void> {
  const summary = await client.call('forkSummary');
  if (!summary) return;
  if (origin) {
    const facts = { block: origin.seqno, root_hash: toHex(origin.engine.rootHash) };
    log?.info(
      { ...facts, config_params: summary.params },
      'accounts are loaded from a fork when they are named',
    );
    return;
  }
  const { accounts, libraries, params, notices } = summary;
  log?.info({ accounts, libraries, config_params: params }, 'the chain begins with a fork');
  for (const notice of notices) log?.warn({}, `--fork: ${notice}`);
}

function describe(states: readonly SourceState[]): SourceFacts {
  const { rootHash, fileHash } = states[0]!.id;
  return {
    firstMcSeqno: 1,
    lastMcSeqno: null,
    zerostate: { rootHash, fileHash },
    globalId: LOCALNET_GLOBAL_ID,
    blocks: null,
    bytes: 0,
    states,
    duplicates: 0,
    ignored: [],
  };
}

/** A chain that makes blocks while its steps are read. */
interface RunningChain {
  readonly client: EngineClient;
  readonly pacer: Pacer;
  readonly control: LocalnetControl;
  /** Loads accounts of a fork; null in a chain without an origin. */
  readonly late: LateLoading | null;
  /** The zerostates. */
  readonly states: readonly SourceState[];
  readonly log: Log | null;
}

async function* steps(
  { client, pacer, control, late, states, log }: RunningChain,
  after: ChainTip | null,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  if (after === null) yield { mcSeqno: 0, states, blocks: [] };
  const rootHash = after?.masterchain.rootHash;
  await client.call('resume', after && rootHash ? { mcSeqno: after.mcSeqno, rootHash } : null);
  control.resumed();
  while (true) {
    await pacer.due(signal);
    if (signal.aborted) return;
    const isComplete = !late || (await late.beforeStep(signal));
    const step = await nextStep(client, log, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (step === null) return;
    const { mcSeqno, blocks, isBusy } = step;
    // Messages that wait for an account are no work.
    pacer.made(isBusy && isComplete);
    control.made(mcSeqno);
    yield { mcSeqno, states: [], blocks };
  }
}
