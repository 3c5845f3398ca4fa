import { sha256 } from '../../ton/hash/sha256.ts';
import { type BlockIdExt, blockIdExtText, blockIdText, sameBlock, sameBytes } from '../block-id.ts';
import { readSourceBlock } from '../read-block.ts';
import type { SourceBlock } from '../source.ts';
import type { ServerPool } from './server-pool.ts';
import type { Delivered } from './server-request.ts';
import { fromTlId, toTlId } from './tl-block-id.ts';

/** Bytes of a block before it is known. */
const ASSUMED_BYTES = 16_384;

/** Fetches blocks by their full ids, and keeps what was fetched ahead until it is used. */
export class BlockFetcher {
  private readonly pool: ServerPool;
  private readonly signal: AbortSignal;
  private readonly maxBytes: number;
  private readonly ahead = new Map<string, Promise<SourceBlock>>();
  private bytes = 0;

  /** `maxBytes`: limit of bytes fetched ahead and not used yet, including requests under way. */
  constructor(pool: ServerPool, maxBytes: number, signal: AbortSignal) {
    this.pool = pool;
    this.maxBytes = maxBytes;
    this.signal = signal;
  }

  /** True if more may be fetched ahead. */
  get hasRoom(): boolean {
    return this.bytes < this.maxBytes;
  }

  /** Begins to fetch a block that will be used later. `rounds`: see `ServerPool.ask`. */
  prefetch(id: BlockIdExt, rounds = Number.POSITIVE_INFINITY): Promise<SourceBlock> {
    const key = blockIdExtText(id);
    const known = this.ahead.get(key);
    if (known) return known;
    this.bytes += ASSUMED_BYTES;
    const block = this.fetch(id, rounds).then(({ value }) => {
      if (this.ahead.has(key)) this.bytes += value.boc.length - ASSUMED_BYTES;
      return value;
    });
    block.catch(() => {
      if (this.ahead.delete(key)) this.bytes -= ASSUMED_BYTES;
    });
    this.ahead.set(key, block);
    return block;
  }

  /** A block for use: from what was fetched ahead, or from a server. @throws the reason of the signal */
  async take(id: BlockIdExt): Promise<SourceBlock> {
    const key = blockIdExtText(id);
    const known = this.ahead.get(key);
    if (!known) return (await this.fetch(id)).value;
    const block = await known;
    if (this.ahead.delete(key)) this.bytes -= block.boc.length;
    return block;
  }

  /** Forgets a block that was fetched ahead and is not needed. */
  drop(id: BlockIdExt): void {
    if (this.ahead.has(blockIdExtText(id))) void this.take(id).catch(() => {});
  }

  /** Fetches a block and checks its bytes against both hashes of the id. */
  fetch(id: BlockIdExt, rounds = Number.POSITIVE_INFINITY): Promise<Delivered<SourceBlock>> {
    const what = `block ${blockIdText(id)}`;
    return this.pool.ask(
      'getBlock',
      { id: toTlId(id) },
      {
        signal: this.signal,
        rounds,
        what,
        check: ({ id: named, data }, { name }) => {
          if (!sameBlock(fromTlId(named), id)) throw new Error(`it is of ${blockIdExtText(fromTlId(named))}`);
          if (!sameBytes(sha256(data), id.fileHash)) throw new Error('its file hash is another one');
          // A copy: the bytes of the answer are a part of a larger buffer.
          const block = readSourceBlock(Uint8Array.from(data), name);
          if (!sameBlock(block.id, id)) throw new Error(`the bytes are of ${blockIdExtText(block.id)}`);
          return block;
        },
      },
    );
  }
}
