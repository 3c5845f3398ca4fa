import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { NO_EXTRA, Trie } from '../../ton/cell/trie.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { snakeCell } from '../../ton/store/store-snake.ts';

/** Metadata by name: `name`, `symbol`, `image` … */
export type Attributes = Readonly<Record<string, string>>;

/** Metadata of a token (TEP-64), stored on the chain so that it can be read offline. */
// onchain#00 data:(HashmapE 256 ^ContentData) = FullContent; keys are SHA-256 of attribute names.
export function tokenContent(attributes: Attributes): Cell {
  let dict = Trie.empty<Cell>({
    keyBits: 256,
    store: (builder, value) => builder.ref(value),
    extra: NO_EXTRA,
  });
  for (const [name, value] of Object.entries(attributes)) {
    dict = dict.set(sha256(new TextEncoder().encode(name)), snakeData(value));
  }
  const builder = new CellBuilder().uint(0, 8);
  dict.store(builder);
  return builder.cell();
}

// snake#00 data:(SnakeData ~n) = ContentData;
function snakeData(text: string): Cell {
  return snakeCell(new TextEncoder().encode(text), new CellBuilder().uint(0, 8));
}
