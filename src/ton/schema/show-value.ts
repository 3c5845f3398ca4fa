import { CellError } from '../boc/cell-error.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { ORDINARY } from '../boc/cell-type.ts';
import { serializeCell, serializeSlice } from '../boc/serialize.ts';
import { commentText } from '../contracts/comment-text.ts';
import { toBase64 } from '../hash/base64.ts';
import { readSnake } from '../tlb/snake-text.ts';
import type { Json, Reading } from './reading.ts';

/** `VarUInteger n`, whose length takes some bits. */
export function showVarUint(reading: Reading, lengthBits: number): Json {
  const { slice } = reading;
  const length = slice.peekUint(lengthBits);
  const value = reading.number(slice.varUint(lengthBits));
  return { '@type': 'var_uint', len: reading.number(length), value };
}

/** `Coins` and `Grams`. */
export function showAmount(reading: Reading, name: 'nanocoins' | 'nanograms'): Json {
  return { '@type': name, amount: showVarUint(reading, 4) };
}

/** `^Cell`: its decoded content, or a bag of cells in base64. */
export function showReference(reading: Reading): Json {
  const { boc, slice } = reading;
  const cell = slice.ref();
  const shown =
    boc.type[cell] === ORDINARY
      ? reading.deeper(() => reading.showCell(new CellSlice(boc, cell), reading))
      : null;
  return shown ?? reading.text(toBase64(serializeCell(boc, cell, false)));
}

/** `Cell`: the rest of this cell. */
export function showRest(reading: Reading): Json {
  const { slice } = reading;
  const shown = reading.deeper(() => reading.showCell(slice.clone(), reading));
  const value = shown ?? reading.text(toBase64(serializeSlice(slice, false)));
  skipRest(slice);
  return value;
}

/** A text from here to the end of the cell, then of its first reference, and so on. @throws CellError value */
export function showSnake(reading: Reading): Json {
  const { slice, boc } = reading;
  const { cell, bitPosition: bit } = slice;
  const bytes = slice.refPosition === 0 ? readSnake(boc, cell, bit) : null;
  if (!bytes) throw new CellError('value', { cell, bit, what: 'SnakeString', expected: 'whole bytes' });
  skipRest(slice);
  return reading.text(commentText(bytes));
}

function skipRest(slice: CellSlice): void {
  slice.skipBits(slice.bitsLeft);
  slice.skipRefs(slice.refsLeft);
}
