import type { Body } from '../../body/body.ts';
import { type BlockPattern, blockThat, type Surroundings } from '../../match/pattern.ts';
import { TON_TRANSFER, type TonTransfer } from '../../tree/basic-blocks.ts';
import type { Block } from '../../tree/block.ts';

/** Asset id of TON. */
const TON_ID = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

export const isTon = (assetId: bigint): boolean => assetId === TON_ID;

/** The text form of an asset id. */
export const assetText = (assetId: bigint): string => `0x${assetId.toString(16)}`;

/**
 * Body of a message to a user's contract, at its op: `version:Coins upgrade:(Maybe ^Cell) reserved:uint2` come first.
 * @throws CellError
 */
function afterHeader(block: Block): Body {
  const body = block.first.body();
  body.coins();
  body.maybeRef();
  return body.skip(2);
}

/** Like `afterHeader`, after the opcode. */
export const userBody = (block: Block): Body => afterHeader(block).skip(32);

/** A call of a user's contract: the opcode follows a header. */
export function userCall(op: number, surroundings: Surroundings = {}): BlockPattern {
  const test = (block: Block) => block.kind.name === 'call_contract' && afterHeader(block).peekOp() === op;
  return blockThat(test, surroundings);
}

const COMMENTS: ReadonlySet<string | null> = new Set(['EVAA supply.', 'EVAA withdraw.', 'EVAA liquidation.']);

/** A transfer with a purpose in its comment; never required. */
export const commentTransfer: BlockPattern = blockThat(
  (block) => block.is(TON_TRANSFER) && COMMENTS.has((block.data as TonTransfer).comment.text),
  { optional: true },
);
