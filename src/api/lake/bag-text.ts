/**
 * SQL for the text in a bag of cells: the data of all cells, one after the other, without zero bytes, after the 32 bits
 * of the opcode. Null for text that is not UTF-8. Bags have one root and cells of a chain in order (TEP-64, "snake").
 * `what` op: the data of the first cell instead; empty for no bag.
 */
export function bagText(bag: string, what: 'text' | 'op' = 'text'): string {
  const byte = (at: string | number) => `reinterpretAsUInt8(substring(${bag}, ${at}, 1))`;
  // Header: magic 4, flags 1 (index, checksum, cache bits; size of a cell number), size of an offset 1, numbers of cells,
  // roots and absent cells, size of the cells, root's number, index.
  const size = `bitAnd(${byte(5)}, 7)`;
  const offset = byte(6);
  const cells = `if(${size} = 1, toUInt16(${byte(7)}), toUInt16(${byte(7)}) * 256 + ${byte(8)})`;
  const index = `if(bitAnd(${byte(5)}, 128) = 128, toUInt64(${cells}) * ${offset}, 0)`;
  const start = `toUInt64(7 + 4 * ${size} + ${offset} + ${index})`;
  if (what === 'op') return `substring(${bag}, ${start} + 2, 4)`;
  const data = 'intDiv(reinterpretAsUInt8(substring(BAG, f.1 + 1, 1)) + 1, 2)';
  const next = `f.1 + 2 + ${data} + bitAnd(reinterpretAsUInt8(substring(BAG, f.1, 1)), 7) * ${size}`;
  const fold = `arrayFold((f, i) -> (toUInt64(${next}), concat(f.2, substring(BAG, f.1 + 2, ${data}))), range(least(${cells}, ${MAX_CELLS})), (${start}, '')).2`;
  const text = `replaceAll(substring(${fold.replaceAll('BAG', bag)}, 5), char(0), '')`;
  return `if(isValidUTF8(${text}), ${text}, NULL)`;
}

/** Cells of a comment that are read: 15 KiB of text. */
const MAX_CELLS = 128;
