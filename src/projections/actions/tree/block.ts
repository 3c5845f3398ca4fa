import type { Body } from '../body/body.ts';
import type { Columns, Fields } from '../model/action.ts';
import type { TraceMessage } from '../model/trace.ts';
import type { TraceNode } from './trace-node.ts';

/**
 * Kind of a block and how its data is answered. `D` is what the rules of other families may read of it.
 */
export interface BlockKind<D> {
  /** Inner name: part of the action id. */
  readonly name: string;
  /** Type of the action. */
  readonly type: string;
  readonly columns: (data: D, block: Block<D>) => Columns;
  /** null: the API has no layout for the type. */
  readonly details: ((data: D, block: Block<D>) => Fields) | null;
  /** Accounts of the action in addition to the accounts of its transactions and columns. */
  readonly accounts?: (data: D) => readonly (string | null)[];
}

/** Fields that a block is made with. */
export interface BlockParts<D> {
  readonly kind: BlockKind<D>;
  readonly data: D;
  readonly failed: boolean;
  readonly nodes: readonly TraceNode[];
  readonly parts: readonly Block[];
  readonly isMerged: boolean;
}

/**
 * A part of the tree that is or may become an action: one node at first, later several that a rule has merged. Blocks form
 * a tree of their own (`previous`, `children`); a merged block takes the place of the earliest of its parts.
 */
export class Block<D = unknown> {
  readonly kind: BlockKind<D>;
  readonly data: D;
  readonly failed: boolean;
  /** Nodes of the block, the earliest first. */
  readonly nodes: readonly TraceNode[];
  /** Blocks that were merged into this one. */
  readonly parts: readonly Block[];
  /** Whether a rule made the block, instead of the tree. */
  readonly isMerged: boolean;
  previous: Block | null = null;
  children: Block[] = [];
  /** Block that this one was merged into. */
  into: Block | null = null;

  constructor({ kind, data, failed, nodes, parts, isMerged }: BlockParts<D>) {
    this.kind = kind;
    this.data = data;
    this.failed = failed;
    this.nodes = nodes;
    this.parts = parts;
    this.isMerged = isMerged;
  }

  /** Earliest node. */
  get first(): TraceNode {
    return this.nodes[0]!;
  }

  /** Message of the earliest node; null for a tick-tock. */
  get message(): TraceMessage | null {
    return this.first.message;
  }

  /** Op of the earliest node's message, unsigned. */
  get opcode(): number | null {
    return this.message?.opcode ?? null;
  }

  get source(): string | null {
    return this.message?.source ?? null;
  }

  get destination(): string | null {
    return this.message?.destination ?? null;
  }

  /** Nanotons of the earliest node's message, 0 for external ones. */
  get value(): bigint {
    return this.message?.value ?? 0n;
  }

  /** Whether the transaction of the earliest node was aborted. */
  get aborted(): boolean {
    return this.first.failed;
  }

  /** A reader of the earliest node's body, after the op. */
  body(): Body {
    return this.first.body().skip(32);
  }

  /** True if the block is of this kind, which defines its data. */
  is<T>(kind: BlockKind<T>): this is Block<T> {
    return (this.kind as unknown) === kind;
  }

  /** The block that holds this one now: itself, while nothing has merged it. */
  outermost(): Block {
    let block: Block = this as Block;
    while (block.into) block = block.into;
    return block;
  }
}
