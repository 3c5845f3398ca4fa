import { findNewestBlock, findRawBlock, type RawBlock } from '../../api/entities/blocks/find-raw.ts';
import type { ServeContext } from '../../api/serve-context.ts';
import { LiteBlock } from '../../liteserver/chain/lite-block.ts';
import type { OlderBlocks } from '../../liteserver/lite-context.ts';
import { readBlockHeader } from '../../ton/decode/block-header.ts';

/** Look-ups end after this time, below the time of a query at the reference server. */
const CALLER = { client: 'liteserver', timeoutMs: 4_000 };

/** Blocks of the index, for requests of the lite server that memory no longer answers. */
export function olderBlocks(context: ServeContext): OlderBlocks {
  return {
    find: async (sought) => toBlock(await findRawBlock(context, sought, CALLER)),
    newest: async () => toBlock(await findNewestBlock(context, CALLER)),
  };
}

function toBlock(raw: RawBlock | null): LiteBlock | null {
  return raw && new LiteBlock({ boc: raw.boc, header: readBlockHeader(raw.boc) }, raw.mcSeqno);
}
