import { type BlockIdExt, blockIdExtText, blockIdText, sameBlock } from '../block-id.ts';
import type { SourceBlock } from '../source.ts';
import type { BlockFetcher } from './block-fetcher.ts';
import type { LiteServer } from './lite-server.ts';
import type { MasterchainIds } from './masterchain-ids.ts';
import { NoServerError } from './server-errors.ts';
import type { ServerPool } from './server-pool.ts';
import type { Delivered } from './server-request.ts';
import type { Trust } from './trust.ts';

/** Masterchain blocks that are fetched at once in catch-up. */
const WINDOW = 48;
/** Masterchain blocks that one proof covers in catch-up: they are linked by the hashes of their predecessors. */
const GROUP = 100;
/** Rounds over all servers for a block whose id is not proven yet. */
const ROUNDS = 3;
/** Bytes of masterchain blocks that wait for one proof. */
const GROUP_BYTES = 16_000_000;

export interface ChainParts {
  readonly pool: ServerPool;
  readonly ids: MasterchainIds;
  readonly blocks: BlockFetcher;
  readonly trust: Trust;
  readonly signal: AbortSignal;
}

/** An id, the server that named it, and the block; null if no server has it. */
interface Named {
  readonly id: BlockIdExt;
  readonly namedBy: LiteServer;
  readonly block: SourceBlock | null;
}

interface Candidate extends Named {
  readonly block: SourceBlock;
}

/** Reads masterchain blocks in order. Each is linked to the one before by its hashes, and proven. */
export class MasterchainBlocks {
  private readonly parts: ChainParts;
  private readonly pending = new Map<number, Promise<Named>>();
  /** The newest seqno that is known to exist. */
  private head = 0;

  constructor(parts: ChainParts) {
    this.parts = parts;
  }

  /** The blocks after `start`. At the head it waits for the next one. @throws the reason of the signal */
  async *after(start: BlockIdExt): AsyncGenerator<SourceBlock> {
    let proven = start;
    /** Up to this seqno blocks are proven one by one, to find the false one. */
    let singlyUpTo = 0;
    for (;;) {
      const group = await this.readGroup(proven, proven.seqno < singlyUpTo ? 1 : GROUP);
      const last = group.at(-1) as Candidate;
      if (await this.isProven(last)) {
        for (const { block } of group) yield block;
        proven = last.block.id;
        continue;
      }
      singlyUpTo = last.block.id.seqno;
      if (group.length === 1) this.refuse(last, 'it has no proof');
    }
  }

  /** Linked blocks that exist already: at least one, at the head exactly one. */
  private async readGroup(proven: BlockIdExt, limit: number): Promise<Candidate[]> {
    const group: Candidate[] = [];
    let tip = proven;
    let bytes = 0;
    while (group.length < limit && bytes < GROUP_BYTES) {
      const seqno = tip.seqno + 1;
      this.head = Math.max(this.head, this.parts.pool.announced ?? 0);
      if (group.length > 0 && seqno > this.head) break;
      const candidate = await this.candidate(seqno);
      const { block } = candidate;
      if (!block.header.prevRefs.some((prev) => sameBlock(prev, tip))) {
        this.refuse(candidate, `it does not follow ${blockIdExtText(tip)}`);
        continue;
      }
      group.push(candidate);
      bytes += block.boc.length;
      tip = block.id;
    }
    // The next blocks come while these are proven.
    this.beginFrom(tip.seqno + 1);
    return group;
  }

  private async candidate(seqno: number): Promise<Candidate> {
    this.beginFrom(seqno);
    const pending = this.pending.get(seqno);
    this.pending.delete(seqno);
    const { block, ...named } = await (pending ?? this.fetch(this.parts.ids.await(seqno)));
    if (!block) {
      this.refuse(named, 'no server has it');
      return this.candidate(seqno);
    }
    this.parts.blocks.drop(block.id);
    this.head = Math.max(this.head, seqno);
    return { ...named, block };
  }

  private beginFrom(seqno: number): void {
    const last = Math.min(this.head, seqno + WINDOW - 1);
    for (let ahead = seqno; ahead <= last; ahead++) this.begin(ahead);
  }

  private begin(seqno: number): void {
    if (this.pending.has(seqno) || !this.parts.blocks.hasRoom) return;
    const candidate = this.fetch(this.parts.ids.lookUp(seqno));
    candidate.catch(() => {});
    this.pending.set(seqno, candidate);
  }

  /** A server may name an id of which there is no block: then others are asked for another id. */
  private async fetch(found: Promise<Delivered<BlockIdExt>>): Promise<Named> {
    const { value: id, server: namedBy } = await found;
    try {
      return { id, namedBy, block: await this.parts.blocks.prefetch(id, ROUNDS) };
    } catch (error) {
      if (!(error instanceof NoServerError)) throw error;
      return { id, namedBy, block: null };
    }
  }

  private async isProven({ block }: Candidate): Promise<boolean> {
    const { trust, pool, signal } = this.parts;
    try {
      await trust.prove(block, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      pool.warn(`masterchain block ${blockIdText(block.id)} is not proven`, error as Error);
      return false;
    }
  }

  private refuse({ id, namedBy }: Pick<Named, 'id' | 'namedBy'>, reason: string): void {
    const { pool, ids, blocks } = this.parts;
    for (const one of this.pending.values()) void one.then((named) => blocks.drop(named.id)).catch(() => {});
    this.pending.clear();
    ids.refuse(id);
    pool.blame(namedBy, `masterchain block ${blockIdText(id)}`, new Error(reason));
  }
}
