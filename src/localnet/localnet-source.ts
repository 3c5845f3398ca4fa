import { readSourceState } from '../capture/read-state.ts';
import type { ChainTip, Source, SourceFacts, SourceState, Step } from '../capture/source.ts';
import type { Log } from '../platform/observability/log.ts';
import { parseBoc } from '../ton/boc/boc.ts';
import { EngineClient } from './engine/engine-client.ts';
import { type Pace, Pacer } from './engine/pacer.ts';
import { LocalnetControl } from './localnet-control.ts';
import { nextStep } from './next-step.ts';
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
  const { seed = 'localnet', shards = 1, pace = PACE, traffic = 0, limit = LIMIT } = options;
  const client = await EngineClient.start({
    directory: options.directory,
    seed,
    shards,
    globalId: LOCALNET_GLOBAL_ID,
    genesisUtime: options.genesisUtime ?? null,
    limit,
    secondsPerBlock: options.secondsPerBlock ?? null,
    traffic,
    fork: options.fork ?? [],
    origin: null,
  });
  const pacer = new Pacer(pace);
  const { log = null } = options;
  await announceFork(client, log);
  const contracts = await client.call('contracts');
  const signer = new BlockSigner(seed, options.signatures ?? 'ordinary');
  const facts = { seed, globalId: LOCALNET_GLOBAL_ID, contracts, signer };
  const control = new LocalnetControl(client, pacer, facts);
  const states = (await client.call('zerostates')).map((boc) => readSourceState(parseBoc(boc), NAME));
  return {
    name: NAME,
    finite: false,
    continuity: 'chain',
    control,
    describe: async () => describe(states),
    steps: (after, signal) => steps({ client, pacer, control, states, log }, after, signal),
    close: () => client.close(),
  };
}

/** Logs what was loaded by `--fork`, and what was left out. */
async function announceFork(client: EngineClient, log: Log | null): Promise<void> {
  const summary = await client.call('forkSummary');
  if (!summary) return;
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
  /** The zerostates. */
  readonly states: readonly SourceState[];
  readonly log: Log | null;
}

async function* steps(
  { client, pacer, control, states, log }: RunningChain,
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
    const step = await nextStep(client, log, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (step === null) return;
    const { mcSeqno, blocks, isBusy } = step;
    pacer.made(isBusy);
    control.made(mcSeqno);
    yield { mcSeqno, states: [], blocks };
  }
}
