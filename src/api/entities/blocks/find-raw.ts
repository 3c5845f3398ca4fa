import { openScope, type ReadScope } from '../../query/scope.ts';
import type { ServeContext } from '../../serve-context.ts';
import { ProjectionUnavailableError } from '../../version-vector.ts';
import { type BlockQuery, findBlock } from './find-one.ts';
import { blockIdText, readRawBlocks } from './raw.ts';

/** The bytes of a block, and the masterchain block that committed it. */
export interface RawBlock {
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
}

/** A caller within this process. */
export interface InnerCaller {
  readonly client: string;
  readonly timeoutMs: number;
}

/** Finds one block and reads its bytes. null if none is visible. Two queries. */
export function findRawBlock(
  context: ServeContext,
  query: BlockQuery,
  inner: InnerCaller,
): Promise<RawBlock | null> {
  return inScope(context, inner, (scope) => readFound(scope, query));
}

/** As `findRawBlock`, for the newest visible masterchain block. */
export function findNewestBlock(context: ServeContext, inner: InnerCaller): Promise<RawBlock | null> {
  return inScope(context, inner, (scope) =>
    readFound(scope, { workchain: -1, shard: 1n << 63n, seqno: scope.visible.last }),
  );
}

async function inScope(
  context: ServeContext,
  { client, timeoutMs }: InnerCaller,
  read: (scope: ReadScope) => Promise<RawBlock | null>,
): Promise<RawBlock | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const caller = { signal, deadline: performance.now() + timeoutMs, client, readOnly: true };
  try {
    // Blocks of idle lanes are written first.
    await context.freshen?.(['base']);
    return await read(openScope(context, { route: `${client}/block`, reads: ['base'], caller }));
  } catch (error) {
    // No block is visible yet.
    if (error instanceof ProjectionUnavailableError) return null;
    throw error;
  }
}

async function readFound(scope: ReadScope, query: BlockQuery): Promise<RawBlock | null> {
  const row = await findBlock(scope, query);
  if (!row) return null;
  const { mc_seqno: mcSeqno, workchain, shard, seqno } = row;
  const key = { mcSeqno, workchain, shard: BigInt(shard), seqno };
  const boc = (await readRawBlocks(scope, [key])).get(blockIdText(key));
  return boc ? { boc, mcSeqno } : null;
}
