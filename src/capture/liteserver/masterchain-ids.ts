import type { TlAnswer } from '../../liteapi/schema/values.ts';
import { pause } from '../../platform/retry/poll.ts';
import { type BlockIdExt, blockIdExtText, blockIdText, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import type { LiteServer } from './lite-server.ts';
import type { ServerPool } from './server-pool.ts';
import type { Delivered } from './server-request.ts';
import { fromTlId, masterchainPlace } from './tl-block-id.ts';

/** Time that a server may wait for the next block before it answers that there is none. */
const WAIT_MS = 2_000;
/** Servers that wait for the next block at the same time. */
const WAITERS = 2;
/** Interval of look-ups without waiting, each at the next server: a server may have a block that it did not announce. */
const PROBE_MS = 200;
const PAUSE_MS = 100;
const REFUSED_MS = 3_000;

/** Finds ids of masterchain blocks by seqno. An id counts after its block was fetched and fits the chain. */
export class MasterchainIds {
  private readonly pool: ServerPool;
  private readonly signal: AbortSignal;
  /** Ids that did not fit the chain or had no proof, and until when they are not accepted. */
  private readonly refused = new Map<string, number>();
  private turn = 0;

  constructor(pool: ServerPool, signal: AbortSignal) {
    this.pool = pool;
    this.signal = signal;
  }

  /**
   * Does not accept an id for some seconds. Not for ever: a true block may have had no proof yet. If other servers name
   * another id meanwhile, that one is tried.
   */
  refuse(id: BlockIdExt): void {
    const now = performance.now();
    for (const [key, until] of this.refused) if (until < now) this.refused.delete(key);
    this.refused.set(blockIdExtText(id), now + REFUSED_MS);
  }

  /** The id of a block that some server has: asks until one delivers, or for some rounds (`ServerPool.ask`). */
  lookUp(seqno: number, rounds = Number.POSITIVE_INFINITY): Promise<Delivered<BlockIdExt>> {
    return this.pool.ask(
      'lookupBlock',
      { mode: 1, id: masterchainPlace(seqno) },
      {
        signal: this.signal,
        what: `the id of masterchain block ${seqno}`,
        rounds,
        check: (answer) => this.checked(answer, seqno),
      },
    );
  }

  /**
   * The id of a block that may not exist yet: two servers wait for it, and every 200 ms the next one is asked without
   * waiting. The first good answer counts.
   */
  async await(seqno: number): Promise<Delivered<BlockIdExt>> {
    const found = Promise.withResolvers<Delivered<BlockIdExt>>();
    const over = new AbortController();
    const signal = AbortSignal.any([this.signal, over.signal]);
    const waiting = new Set<LiteServer>();
    const waiters = Array.from({ length: WAITERS }, () => this.wait(seqno, waiting, found.resolve, signal));
    const work = [...waiters, this.probe(seqno, found.resolve, signal)];
    const onAbort = () => found.reject(this.signal.reason);
    this.signal.addEventListener('abort', onAbort);
    try {
      this.signal.throwIfAborted();
      return await found.promise;
    } finally {
      this.signal.removeEventListener('abort', onAbort);
      over.abort();
      await Promise.all(work);
    }
  }

  /** One after the other, servers that nobody waits at are asked to wait. */
  private async wait(
    seqno: number,
    waiting: Set<LiteServer>,
    found: (id: Delivered<BlockIdExt>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const server = this.pool.best().find((one) => one.isFree && !waiting.has(one));
      if (server) {
        waiting.add(server);
        const asked = this.askOne(server, seqno, found, WAIT_MS);
        // An answer that comes too late is not awaited: another server has delivered.
        await Promise.race([asked, aborted(signal)]);
        waiting.delete(server);
      }
      await pause(PAUSE_MS, signal);
    }
  }

  private async probe(
    seqno: number,
    found: (id: Delivered<BlockIdExt>) => void,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      await pause(PROBE_MS, signal);
      const servers = this.pool.servers.filter((server) => server.isFree);
      const server = servers[this.turn++ % Math.max(1, servers.length)];
      if (server && !signal.aborted) void this.askOne(server, seqno, found, null);
    }
  }

  private async askOne(
    server: LiteServer,
    seqno: number,
    found: (id: Delivered<BlockIdExt>) => void,
    waitMs: number | null,
  ): Promise<void> {
    const began = performance.now();
    const wait = waitMs === null ? null : { seqno, timeoutMs: waitMs };
    let answer: TlAnswer<'lookupBlock'>;
    try {
      const request = { mode: 1, id: masterchainPlace(seqno) };
      answer = await server.request('lookupBlock', request, {
        wait,
        timeoutMs: (waitMs ?? 0) + PROBE_MS * 10,
      });
    } catch (error) {
      // Every server answers with an error for a block that does not exist yet: only silence is a failure.
      if ((error as Error).name !== 'LiteServerError') server.failed(error as Error);
      return;
    }
    try {
      const value = this.checked(answer, seqno);
      // The wait for the block is not the server's latency.
      if (waitMs === null) server.delivered(performance.now() - began);
      found({ value, server });
    } catch (error) {
      this.pool.blame(server, `the id of masterchain block ${seqno}`, error);
    }
  }

  private checked({ id }: TlAnswer<'lookupBlock'>, seqno: number): BlockIdExt {
    const found = fromTlId(id);
    const isPlace = found.workchain === MASTERCHAIN && found.shard === WHOLE_SHARD && found.seqno === seqno;
    if (!isPlace) throw new Error(`it is of ${blockIdText(found)}`);
    if ((this.refused.get(blockIdExtText(found)) ?? 0) > performance.now())
      throw new Error(`${blockIdExtText(found)} was refused before`);
    return found;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
