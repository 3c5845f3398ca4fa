import type { ServeContext } from '../serve-context.ts';
import { ProjectionUnavailableError } from '../version-vector.ts';
import { type BlockQuery, findBlock } from './find-block.ts';
import { blockIdText, readRawBlocks } from './read-raw-blocks.ts';
import { openScope } from './read-scope.ts';

/** The bytes of a block, and the masterchain block that committed it. */
export interface RawBlock {
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
}

/** Finds one block and reads its bytes, for a caller within this process. null if none is visible. Two queries. */
export async function findRawBlock(
  context: ServeContext,
  query: BlockQuery,
  { client, timeoutMs }: { readonly client: string; readonly timeoutMs: number },
): Promise<RawBlock | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const caller = { signal, deadline: performance.now() + timeoutMs, client, readOnly: true };
  try {
    const scope = openScope(context, { route: `${client}/block`, reads: ['base'], caller });
    const row = await findBlock(scope, query);
    if (!row) return null;
    const { mc_seqno: mcSeqno, workchain, shard, seqno } = row;
    const key = { mcSeqno, workchain, shard: BigInt(shard), seqno };
    const boc = (await readRawBlocks(scope, [key])).get(blockIdText(key));
    return boc ? { boc, mcSeqno } : null;
  } catch (error) {
    // No block is visible yet.
    if (error instanceof ProjectionUnavailableError) return null;
    throw error;
  }
}
