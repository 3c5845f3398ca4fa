import { BagTexts } from '../../../tvm/bag-texts.ts';
import { itemsOfList, type StackValue } from '../../../tvm/stack/stack-value.ts';
import { stackNumberText } from '../../format/stack-number.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { cellTree, type SizedTree } from './cell-tree.ts';

/** The depth of tuples that answers may have (v2-endpoints.md section 3). */
const MAX_DEPTH = 256;
/** Largest size of cell trees in an answer, bytes: they repeat the bags. */
const MAX_TREE_BYTES = 2 * 1024 * 1024;

/** An entry of runGetMethod's answer: type and value. */
export type LegacyEntry = readonly [string, unknown];

/** An entry with an `@type`: inside tuples and lists, and all of runGetMethodStd's. */
export type TypedEntry = Readonly<Record<string, unknown>> & { readonly '@type': string };

/** The stack as runGetMethod answers it. @throws HttpError 533 */
export function legacyStack(values: readonly StackValue[]): LegacyEntry[] {
  const cells = new CellEntries();
  return values.map((value) => legacyEntry(value, cells));
}

/** The stack as runGetMethodStd answers it. @throws HttpError 533 */
export function typedStack(values: readonly StackValue[]): TypedEntry[] {
  const bags = new BagTexts();
  return values.map((value) => typedEntry(value, 0, bags));
}

function legacyEntry(value: StackValue, cells: CellEntries): LegacyEntry {
  const elements = (items: readonly StackValue[]) => items.map((item) => typedEntry(item, 1, cells.bags));
  const list = itemsOfList(value);
  if (list) return ['list', { '@type': 'tvm.list', elements: elements(list) }];
  switch (value.kind) {
    case 'int':
      return ['num', stackNumberText(value.value)];
    case 'cell':
    case 'slice':
      return ['cell', cells.entry(value.boc)];
    case 'tuple':
      return ['tuple', { '@type': 'tvm.tuple', elements: elements(value.items) }];
    default:
      return ['unsupported', ''];
  }
}

/** Cells of one answer; what is made of the same one is made once. */
class CellEntries {
  readonly bags = new BagTexts();
  private readonly trees = new Map<Uint8Array, SizedTree | null>();
  private treeBytes = 0;
  private isFull = false;

  /** The bag, and its tree until the budget is used; later trees are not built. */
  entry(boc: Uint8Array): object {
    const bytes = this.bags.of(boc);
    const found = this.isFull ? null : this.getTree(boc);
    if (!found) return { bytes };
    this.treeBytes += found.bytes;
    this.isFull = this.treeBytes > MAX_TREE_BYTES;
    return this.isFull ? { bytes } : { bytes, object: found.tree };
  }

  private getTree(boc: Uint8Array): SizedTree | null {
    if (!this.trees.has(boc)) this.trees.set(boc, cellTree(boc));
    return this.trees.get(boc) ?? null;
  }
}

function typedEntry(value: StackValue, depth: number, bags: BagTexts): TypedEntry {
  if (depth >= MAX_DEPTH) throw new HttpError(533, `Result stack depth >= ${MAX_DEPTH}`);
  const elements = (items: readonly StackValue[]) => items.map((item) => typedEntry(item, depth + 1, bags));
  const list = itemsOfList(value);
  if (list) return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: elements(list) } };
  switch (value.kind) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: value.value.toString() },
      };
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: bags.of(value.boc) } };
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: bags.of(value.boc) } };
    case 'tuple':
      return {
        '@type': 'tvm.stackEntryTuple',
        tuple: { '@type': 'tvm.tuple', elements: elements(value.items) },
      };
    default:
      return { '@type': 'tvm.stackEntryUnsupported' };
  }
}
