import { Refusal } from '../body/refusal.ts';
import { Block, type BlockKind } from './block.ts';
import type { TraceNode } from './trace-node.ts';

/** Block that a rule makes of the blocks that it found. */
export interface Merge<D> {
  readonly kind: BlockKind<D>;
  readonly data: D;
  /** Blocks to merge, in any order; repetitions do not matter. */
  readonly parts: readonly Block[];
  /** Default false. */
  readonly failed?: boolean;
  /** Parts may also be siblings of the earliest one, under a block that does not change. Default false. */
  readonly siblings?: boolean;
  /** Parts may hang anywhere: two halves of one thing. Default false. */
  readonly apart?: boolean;
}

/** In-messages before logs of the same lt, merged blocks last. */
function getRank(block: Block): number {
  if (block.isMerged) return 2;
  return block.first.isLog ? 1 : 0;
}

/** lt that orders parts: of the transaction, or the smallest among a merged block's messages. */
function getLt(block: Block): bigint {
  return block.isMerged ? smallestLt(block.nodes) : block.first.transaction.lt;
}

function smallestLt(nodes: readonly TraceNode[]): bigint {
  let least = nodes[0]!.startLt;
  for (const { startLt } of nodes) if (startLt < least) least = startLt;
  return least;
}

function byLt(a: Block, b: Block): number {
  const [left, right] = [getLt(a), getLt(b)];
  if (left === right) return getRank(a) - getRank(b);
  return left < right ? -1 : 1;
}

/** Allowed places of parts: under each other, also as siblings of the earliest, or anywhere. */
type Places = Pick<Merge<unknown>, 'siblings' | 'apart'>;

/**
 * That every part but the earliest hangs directly under one that is connected already, or where else it may.
 * @throws Refusal
 */
function checkConnected(ordered: readonly Block[], { siblings = false, apart = false }: Places): void {
  const connected = new Set<Block>();
  const [earliest] = ordered;
  for (const part of ordered) {
    if (part.into) throw new Refusal('a part has been merged into another block');
    const { previous } = part;
    const isSibling = siblings && previous === earliest!.previous;
    if (part !== earliest && !apart && !isSibling && !(previous && connected.has(previous)))
      throw new Refusal('the parts do not hang together');
    connected.add(part);
  }
}

/** Takes a part out of the block that it hangs under, which stays. */
function takeOut(part: Block, roots: Block[]): void {
  const neighbours = part.previous?.children ?? roots;
  const at = neighbours.indexOf(part);
  if (at !== -1) neighbours.splice(at, 1);
}

/**
 * Merges blocks into one, which takes the place of the earliest; what hung under a part hangs under it. Nothing is changed
 * when it throws.
 *
 * @param roots the tree's blocks without a previous one
 * @throws Refusal: the parts do not hang together, or one is merged already
 */
export function merge<D>(roots: Block[], what: Merge<D>): Block<D> {
  const { kind, data, parts, failed = false } = what;
  const ordered = [...new Set(parts)].sort(byLt);
  checkConnected(ordered, what);
  const block = new Block<D>({
    kind,
    data,
    failed,
    nodes: ordered.flatMap(({ nodes }) => nodes),
    parts: ordered,
    isMerged: true,
  });
  const [earliest] = ordered;
  const merged = new Set(ordered);
  block.previous = earliest!.previous;
  block.children = ordered.flatMap(({ children }) => children.filter((child) => !merged.has(child)));
  const neighbours = block.previous?.children ?? roots;
  neighbours[neighbours.indexOf(earliest!)] = block as Block;
  for (const part of ordered) {
    if (part !== earliest && !(part.previous && merged.has(part.previous))) takeOut(part, roots);
    part.into = block as Block;
  }
  for (const child of block.children) child.previous = block as Block;
  return block;
}
