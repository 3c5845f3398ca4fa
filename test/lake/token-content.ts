/** Content of tokens on the chain (TEP-64), as @ton/core reads it. */
import { createHash } from 'node:crypto';
import { Cell, Dictionary } from '@ton/core';
import { toSortedJson } from './lake-values.ts';

const FIELDS = ['uri', 'name', 'description', 'image', 'image_data', 'symbol', 'decimals', 'amount_style'];
const NAMES = new Map(FIELDS.map((name) => [createHash('sha256').update(name).digest('hex'), name]));

export type Content = Readonly<Record<string, string>>;

/** Fields of a content cell; other keys of its dictionary by their hash. */
export function readContent(bag: unknown): Content {
  const slice = Cell.fromBase64(String(bag)).beginParse();
  if (slice.remainingBits < 8) return {};
  const form = slice.loadUint(8);
  if (form === 1) return { uri: slice.loadStringTail() };
  if (form !== 0) return {};
  const fields = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  return Object.fromEntries(
    fields
      .keys()
      .map((key) => [NAMES.get(key.toString('hex')) ?? key.toString('hex'), toText(fields.get(key)!)]),
  );
}

/** snake#00 text */
function toText(cell: Cell): string {
  const slice = cell.beginParse();
  slice.loadUint(8);
  return slice.loadStringTail();
}

/** Columns of `jetton_metadata` and `nft_metadata` that follow from content without a document. */
export function contentColumns(content: Content, fields: readonly string[]) {
  const sources = Object.fromEntries(fields.map((name) => [name, name in content ? 'onchain' : '']));
  return {
    ...Object.fromEntries(
      fields.filter((name) => name !== 'decimals').map((name) => [name, content[name] || null]),
    ),
    sources: toSortedJson(sources),
  };
}
