import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BlockHeader, readBlockHeader, readShardHashes } from '../../src/ton/decode/block-header.ts';
import type { BlockMeta } from '../../src/ton/decode/block-meta.ts';
import { sha256 } from '../../src/ton/hash/sha256.ts';

/** A block of the shared data, with the masterchain block that committed it. */
export interface ChainBlock {
  readonly meta: BlockMeta;
  readonly header: BlockHeader;
  readonly bytes: Uint8Array;
}

type Id = Pick<BlockMeta, 'workchain' | 'shard' | 'seqno'>;
const idText = ({ workchain, shard, seqno }: Id) => `${workchain}:${shard.toString(16)}:${seqno}`;

/** The blocks of a set of the shared data; with `only`, those whose file name has one of these texts. */
export function readChainBlocks(folder: string, only?: readonly string[]): ChainBlock[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.boc'));
  const wanted = files.filter((name) => !only || only.some((text) => name.includes(text)));
  const blocks = wanted.map((name) => {
    const bytes = new Uint8Array(readFileSync(join(folder, name)));
    return { bytes, header: readBlockHeader(bytes) };
  });
  const committed = committedBy(blocks);
  return blocks.map(({ bytes, header }) => {
    const mcSeqno = committed.get(idText(header)) ?? (header.masterRef?.seqno ?? 0) + 1;
    const { workchain, shard, seqno, rootHash } = header;
    return { bytes, header, meta: { workchain, shard, seqno, rootHash, fileHash: sha256(bytes), mcSeqno } };
  });
}

/** Walks from the shards that each masterchain block names back to the previous masterchain block's shards. */
function committedBy(blocks: readonly { bytes: Uint8Array; header: BlockHeader }[]): Map<string, number> {
  const byId = new Map(blocks.map(({ header }) => [idText(header), header]));
  const found = new Map<string, number>();
  const masters = blocks.filter(({ header }) => header.workchain === -1);
  for (const { bytes, header } of masters.sort((a, b) => a.header.seqno - b.header.seqno)) {
    found.set(idText(header), header.seqno);
    const open: Id[] = readShardHashes(bytes);
    for (let id = open.pop(); id; id = open.pop()) {
      const shardBlock = byId.get(idText(id));
      if (!shardBlock || found.has(idText(id))) continue;
      found.set(idText(id), header.seqno);
      open.push(...shardBlock.prevRefs);
    }
  }
  return found;
}
