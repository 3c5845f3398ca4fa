import type { Log } from '../../platform/observability/log.ts';
import type { SignatureSet } from '../../ton/proofs/signature-set.ts';
import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts';
import { tipAfter } from '../log-tail.ts';
import type {
  ChainTip,
  SignedBlockId,
  Source,
  SourceBlock,
  SourceFacts,
  SourceState,
  Step,
} from '../source.ts';
import { startFromStates } from '../states.ts';
import { BlockFetcher } from './block-fetcher.ts';
import { fetchOldBlock, fetchSignatures } from './block-signatures.ts';
import type { GlobalConfig } from './global-config.ts';
import { KnownKeyBlock } from './known-key-block.ts';
import { LiveProgress } from './live-progress.ts';
import { MasterchainBlocks } from './masterchain-blocks.ts';
import { MasterchainIds } from './masterchain-ids.ts';
import { NoServerError } from './server-errors.ts';
import { ServerPool } from './server-pool.ts';
import { shardSteps } from './shard-steps.ts';
import { SignatureTrust } from './signature-trust.ts';
import { type StartPoint, StartPointError } from './start-point.ts';
import { fromTlId, masterchainPlace } from './tl-block-id.ts';
import { type Trust, type TrustLevel, trustLinks } from './trust.ts';
import { fetchZerostates } from './zerostates.ts';

export interface LiteServerOptions {
  readonly config: GlobalConfig;
  readonly trust: TrustLevel;
  /** Block that is trusted without a proof. Default: the configuration's init block. */
  readonly trustedBlock: BlockIdExt | null;
  readonly from: StartPoint;
  /** Folder for the newest verified key block. */
  readonly directory: string;
  readonly log: Log;
  /** Bytes of blocks fetched ahead. Default 64 MB. */
  readonly maxBytesAhead?: number;
}

/** A source that follows a network, with the servers that it uses. */
export interface LiveSource extends Source {
  readonly pool: ServerPool;
  readonly trust: Trust;
  readonly zerostate: BlockIdExt;
  readonly progress: LiveProgress;
  /** Id of a masterchain block, proven as the trust level says; `seqno` null: the newest one. Null: no server has it. */
  provenId(seqno: number | null, signal?: AbortSignal): Promise<BlockIdExt | null>;
}

const MAX_BYTES_AHEAD = 64_000_000;
/** Longest time that a request for signatures or a proof takes. */
const REQUEST_MS = 5_000;
const NAME = 'liteserver';
/** Rounds over all servers for a block that may be gone everywhere. */
const PROVEN_ROUNDS = 3;

/** Follows a network by its lite servers. The source never ends; problems of servers are logged and retried. */
export function openLiteServer(options: LiteServerOptions): LiveSource {
  return new LiteServerSource(options);
}

class LiteServerSource implements LiveSource {
  readonly name = NAME;
  readonly finite = false;
  readonly continuity = 'chain';
  readonly pool: ServerPool;
  readonly trust: Trust;
  readonly zerostate: BlockIdExt;
  readonly progress = new LiveProgress();
  private readonly options: LiteServerOptions;
  private readonly closing = new AbortController();
  private start: Promise<Start> | null = null;

  constructor(options: LiteServerOptions) {
    const { config, log, trust, trustedBlock, directory } = options;
    this.options = options;
    this.zerostate = config.zerostate;
    for (const reason of config.ignored) log.warn({}, `global configuration: ${reason}`);
    this.pool = new ServerPool({ servers: config.servers, zerostate: config.zerostate, log });
    const trusted = trustedBlock ?? config.initBlock;
    this.trust =
      trust === 'signatures'
        ? new SignatureTrust(this.pool, new KnownKeyBlock(directory, trusted))
        : trustLinks(trust);
  }

  async describe(): Promise<SourceFacts> {
    const { before, first, states } = await this.begin();
    const { rootHash, fileHash } = this.options.config.zerostate;
    return {
      firstMcSeqno: before.seqno + 1,
      lastMcSeqno: null,
      zerostate: { rootHash, fileHash },
      globalId: first.header.globalId,
      blocks: null,
      bytes: 0,
      states,
      duplicates: 0,
      ignored: [],
    };
  }

  async *steps(after: ChainTip | null, signal: AbortSignal): AsyncGenerator<Step> {
    const over = new AbortController();
    const any = AbortSignal.any([signal, this.closing.signal, over.signal]);
    try {
      for await (const step of this.follow(after, any, () => over.abort())) {
        this.progress.note(step);
        yield step;
      }
    } catch (error) {
      if (!any.aborted) throw error;
    } finally {
      over.abort();
    }
  }

  /** Null also if no server answers in time. */
  signatures(block: SignedBlockId): Promise<SignatureSet | null> {
    return this.inTime(async (signal) => {
      const key = await this.keyBlockId(block.prevKeyBlockSeqno, signal);
      await this.trust.reach(key, signal);
      return await fetchSignatures(this.pool, key, block, signal);
    });
  }

  /** Null also if no server answers in time. */
  oldBlock(block: BlockIdExt, earlier: BlockIdExt): Promise<Uint8Array | null> {
    return this.inTime((signal) => fetchOldBlock(this.pool, block, earlier, signal));
  }

  /** The answer to a client's request; null if no server gives it in time. */
  private async inTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(REQUEST_MS)]);
    try {
      return await ask(signal);
    } catch (error) {
      if (signal.aborted || error instanceof NoServerError) return null;
      throw error;
    }
  }

  async provenId(seqno: number | null, signal?: AbortSignal): Promise<BlockIdExt | null> {
    if (seqno === 0) return this.zerostate;
    const closing = this.closing.signal;
    const parts = this.parts(signal ? AbortSignal.any([closing, signal]) : closing);
    try {
      return (await this.proven(seqno ?? (await this.newestSeqno()), parts, PROVEN_ROUNDS)).id;
    } catch (error) {
      if (error instanceof NoServerError) return null;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.pool.close();
  }

  private async *follow(after: ChainTip | null, signal: AbortSignal, stop: () => void): AsyncGenerator<Step> {
    const parts = this.parts(signal);
    const { tip, before, states } = after
      ? { tip: after, before: await this.fullId(after, parts.ids), states: [] }
      : await this.begin();
    if (states.length > 0) yield startFromStates(states).step;
    const masterchain = new MasterchainBlocks(parts).after(before);
    yield* shardSteps(masterchain, tip, { ...parts, stop, hardForks: this.options.config.hardForks });
  }

  private parts(signal: AbortSignal) {
    const { pool, trust } = this;
    const blocks = new BlockFetcher(pool, this.options.maxBytesAhead ?? MAX_BYTES_AHEAD, signal);
    return { pool, trust, signal, blocks, ids: new MasterchainIds(pool, signal) };
  }

  private async keyBlockId(seqno: number, signal: AbortSignal): Promise<BlockIdExt> {
    if (seqno === 0) return this.zerostate;
    return (await new MasterchainIds(this.pool, signal).lookUp(seqno)).value;
  }

  /** A tip that is known only by its state gets the id of its block: the next block's link to it is checked. */
  private async fullId({ masterchain }: ChainTip, ids: MasterchainIds): Promise<BlockIdExt> {
    if (masterchain.rootHash) return masterchain;
    return (await ids.lookUp(masterchain.seqno)).value;
  }

  /** Where a new index begins. Decided once. */
  private begin(): Promise<Start> {
    this.start ??= this.findStart();
    return this.start;
  }

  private async findStart(): Promise<Start> {
    const { config } = this.options;
    const { signal } = this.closing;
    const parts = this.parts(signal);
    const seqno = await this.firstSeqno();
    if (seqno > 1) {
      const before = await this.proven(seqno - 1, parts);
      return { tip: tipAfter(before), before: before.id, first: before, states: [] };
    }
    const first = await this.proven(1, parts);
    const states = await this.zerostates(first, parts);
    const tip = states.length > 0 ? startFromStates(states).tip : null;
    return { tip, before: config.zerostate, first, states };
  }

  /** None if no server has them: the index then lacks the accounts that they contain. */
  private async zerostates(first: SourceBlock, parts: Parts): Promise<SourceState[]> {
    const { config, log } = this.options;
    try {
      return await fetchZerostates(config.zerostate, first, parts);
    } catch (error) {
      parts.signal.throwIfAborted();
      if (!(error instanceof NoServerError)) throw error;
      log.warn({}, `${error.message}; accounts of the zerostates are not indexed unless --state names them`);
      return [];
    }
  }

  private async firstSeqno(): Promise<number> {
    const { from, trust, trustedBlock } = this.options;
    if (trust === 'chain') {
      const trusted = trustedBlock ?? this.options.config.initBlock;
      if (from.kind === 'seqno' && from.seqno !== trusted.seqno + 1)
        throw new StartPointError(
          '--from',
          `${from.seqno}`,
          `${trusted.seqno + 1}, the block after the trusted one`,
        );
      return trusted.seqno + 1;
    }
    if (from.kind === 'seqno') return Math.max(1, from.seqno);
    if (from.kind === 'time') return Math.max(1, await this.seqnoAt(from.utime));
    return await this.newestSeqno();
  }

  private async newestSeqno(): Promise<number> {
    const { value } = await this.pool.ask(
      'getMasterchainInfo',
      {},
      {
        signal: this.closing.signal,
        what: 'the newest masterchain block',
        check: ({ last }) => last.seqno,
      },
    );
    return Math.max(1, value, this.pool.announced ?? 0);
  }

  private async seqnoAt(utime: number): Promise<number> {
    const { value } = await this.pool.ask(
      'lookupBlock',
      { mode: 4, id: masterchainPlace(0), utime },
      {
        signal: this.closing.signal,
        what: `the masterchain block of ${new Date(utime * 1000).toISOString()}`,
        check: ({ id }) => fromTlId(id).seqno,
      },
    );
    return value;
  }

  /** A masterchain block, proven as the trust level says. */
  private async proven(seqno: number, parts: Parts, rounds = Number.POSITIVE_INFINITY): Promise<SourceBlock> {
    const { trust, trustedBlock, config } = this.options;
    const trusted = trustedBlock ?? config.initBlock;
    for (;;) {
      const { value: id, server } = await parts.ids.lookUp(seqno, rounds);
      const { value: block } = await parts.blocks.fetch(id, rounds);
      try {
        if (trust === 'chain' && trusted.seqno === seqno && !sameBlock(trusted, id))
          throw new Error('it is not the trusted block');
        await this.trust.prove(block, parts.signal);
        return block;
      } catch (error) {
        parts.signal.throwIfAborted();
        parts.ids.refuse(id);
        this.pool.blame(server, `masterchain block ${blockIdText(id)}`, error);
      }
    }
  }
}

type Parts = ReturnType<LiteServerSource['parts']>;

/** The block and tip before the first step (null: masterchain block 1 without zerostates), a block that shows the network's number, and states to start from. */
interface Start {
  readonly tip: ChainTip | null;
  readonly before: BlockIdExt;
  readonly first: SourceBlock;
  readonly states: readonly SourceState[];
}
