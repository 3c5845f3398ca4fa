import {
  type BlockId,
  type BlockIdExt,
  blockIdText,
  isMasterchain,
  MASTERCHAIN,
  sameBlock,
  WHOLE_SHARD,
} from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import type { BlockShelf } from '../chain/chain-steps.ts';
import { readSourceBlock } from '../read-block.ts';
import type { SourceBlock } from '../source.ts';
import { readBag } from './read-bag.ts';

/** A block and the file that contains only this block. */
export interface BlockFile {
  readonly id: BlockIdExt;
  readonly file: string;
}

/** The blocks of a folder by their place in the chain; the bytes stay in the files. */
export class FileShelf implements BlockShelf {
  private readonly blocks = new Map<string, BlockFile>();
  private readonly masterchain: readonly number[];
  readonly duplicates: number;
  private readonly signal: AbortSignal | undefined;

  /**
   * @param signal ends every read
   * @throws ChangedBlockError: two files of the same block id with different bytes
   */
  constructor(files: readonly BlockFile[], signal?: AbortSignal) {
    this.signal = signal;
    let duplicates = 0;
    for (const block of files) {
      const key = blockIdText(block.id);
      const known = this.blocks.get(key);
      if (!known) this.blocks.set(key, block);
      else if (sameBlock(known.id, block.id)) duplicates++;
      else throw new ChangedBlockError(known.id, known.file, block.id, block.file);
    }
    this.duplicates = duplicates;
    this.masterchain = [...this.blocks.values()]
      .filter(({ id }) => isMasterchain(id))
      .map(({ id }) => id.seqno)
      .sort((a, b) => a - b);
  }

  get size(): number {
    return this.blocks.size;
  }

  get lastMasterchain(): number | null {
    return this.masterchain.at(-1) ?? null;
  }

  async masterchainId(seqno: number): Promise<BlockIdExt | null> {
    return this.blocks.get(blockIdText({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }))?.id ?? null;
  }

  async masterchainFrom(seqno: number): Promise<number | null> {
    return this.masterchain.find((known) => known >= seqno) ?? null;
  }

  async read(id: BlockId): Promise<SourceBlock | null> {
    const known = this.blocks.get(blockIdText(id));
    return known ? readBlockFile(known, this.signal) : null;
  }

  unfinished(): null {
    return null;
  }
}

/** @throws ChangedBlockError: the file has been replaced since the folder was read */
export async function readBlockFile({ id, file }: BlockFile, signal?: AbortSignal): Promise<SourceBlock> {
  const { bytes } = await readBag(file, signal);
  const block = readSourceBlock(bytes, file);
  if (!sameBlock(block.id, id)) throw new ChangedBlockError(id, 'the first reading', block.id, file);
  return block;
}
