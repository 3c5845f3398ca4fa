import { parseBoc } from '../../ton/boc/boc.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { type BlockIdExt, blockIdExtText, blockIdText, sameBytes } from '../block-id.ts';
import { readShardTops } from '../read-block.ts';
import { readSourceState } from '../read-state.ts';
import type { SourceBlock, SourceState } from '../source.ts';
import type { BlockFetcher } from './block-fetcher.ts';
import type { ServerPool } from './server-pool.ts';
import { toTlId } from './tl-block-id.ts';

/** Zerostates are asked for a few times only: many servers do not keep them. */
const ROUNDS = 2;

/**
 * The zerostates of a network: of the masterchain, and those that the shard blocks of masterchain block 1 name.
 * @throws NoServerError if no server has one of them
 */
export async function fetchZerostates(
  masterchain: BlockIdExt,
  first: SourceBlock,
  parts: { readonly pool: ServerPool; readonly blocks: BlockFetcher; readonly signal: AbortSignal },
): Promise<SourceState[]> {
  const ids = new Map([[blockIdExtText(masterchain), masterchain]]);
  const open: BlockIdExt[] = readShardTops(first);
  for (let id = open.pop(); id; id = open.pop()) {
    if (id.seqno === 0) ids.set(blockIdExtText(id), id);
    else open.push(...(await parts.blocks.prefetch(id)).header.prevRefs);
  }
  return await Promise.all([...ids.values()].map((id) => fetchState(id, parts)));
}

async function fetchState(
  id: BlockIdExt,
  { pool, signal }: { readonly pool: ServerPool; readonly signal: AbortSignal },
): Promise<SourceState> {
  const what = `zerostate ${blockIdText(id)}`;
  const { value } = await pool.ask(
    'getState',
    { id: toTlId(id) },
    {
      signal,
      what,
      rounds: ROUNDS,
      check: ({ data }, { name }) => {
        if (!sameBytes(sha256(data), id.fileHash)) throw new Error('its file hash is another one');
        const state = readSourceState(parseBoc(Uint8Array.from(data)), name);
        if (!sameBytes(state.id.rootHash, id.rootHash)) throw new Error('its root hash is another one');
        return state;
      },
    },
  );
  return value;
}
