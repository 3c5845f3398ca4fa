import { Type } from 'typebox';
import { buildList, STACK_NULL, type StackValue } from '../../../tvm/stack/stack-value.ts';
import { ArgumentCells, MAX_ENTRIES } from '../../chain/argument-cells.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { isJsonObject, type JsonValue } from '../../http/json-source.ts';
import type { Form } from '../../parameters/form.ts';
import { parseStackNumber } from '../../parameters/stack-number.ts';
import { InvalidRequest } from '../errors.ts';
import { readStackCell } from './stack-cell.ts';

const MAX_DEPTH = 256;

/** Arguments in the form of runGetMethod: `[type, value]` each (v2-endpoints.md section 13). */
export const LEGACY_STACK: Form<readonly StackValue[]> = {
  schema: Type.Array(Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 }), { maxItems: MAX_ENTRIES }),
  read: (value) => readItems(value, readPair),
};

/** Arguments in the form of runGetMethodStd: entries with an `@type`. */
export const TYPED_STACK: Form<readonly StackValue[]> = {
  schema: Type.Array(Type.Object({ '@type': Type.String() }, { additionalProperties: true }), {
    maxItems: MAX_ENTRIES,
  }),
  read: (value) => readItems(value, readTyped),
};

/** Limits of the reader of one stack: values, and depth of tuples and lists. */
interface Reading {
  readonly cells: ArgumentCells;
  readonly depth: number;
}

function readItems(
  value: JsonValue,
  read: (entry: JsonValue, reading: Reading) => StackValue,
): readonly StackValue[] {
  if (!Array.isArray(value)) throw new InvalidRequest('Invalid stack format: array expected');
  const reading = { cells: new ArgumentCells(), depth: 0 };
  return value.map((entry: JsonValue) => read(entry, reading));
}

/** Entries of both forms may occur inside tuples and lists. */
function readEntry(entry: JsonValue, reading: Reading): StackValue {
  return Array.isArray(entry) ? readPair(entry, reading) : readTyped(entry, reading);
}

function readPair(entry: JsonValue, reading: Reading): StackValue {
  reading.cells.countEntry();
  if (!Array.isArray(entry) || entry.length !== 2)
    throw new InvalidRequest('Invalid stack entry format: array of exact 2 elements expected');
  const [type, value] = entry as unknown as readonly [JsonValue, JsonValue];
  if (typeof type !== 'string') throw new InvalidRequest('Expected string as first element in stack entry');
  switch (type) {
    case 'num':
    case 'number':
    case 'int':
    case 'integer':
      return readNumber(value);
    case 'cell':
    case 'tvm.Cell':
      return { kind: 'cell', boc: readStackCell(value, 'tvm.Cell', reading.cells) };
    case 'slice':
    case 'tvm.Slice':
      return { kind: 'slice', boc: readStackCell(value, 'tvm.Slice', reading.cells) };
    case 'tuple':
    case 'tvm.Tuple':
      return { kind: 'tuple', items: readElements(value, reading) };
    case 'list':
    case 'tvm.List':
      return buildList(readElements(value, reading));
    default:
      throw unsupported(type);
  }
}

function readTyped(entry: JsonValue, reading: Reading): StackValue {
  reading.cells.countEntry();
  if (!isJsonObject(entry)) throw new InvalidRequest('Invalid stack entry format: object expected');
  const { '@type': type, number, cell, slice, tuple, list } = entry;
  switch (type) {
    case 'tvm.stackEntryNumber':
      return readNumber(isJsonObject(number) ? number.number : number);
    case 'tvm.stackEntryCell':
      return { kind: 'cell', boc: readStackCell(cell ?? '', 'tvm.Cell', reading.cells) };
    case 'tvm.stackEntrySlice':
      return { kind: 'slice', boc: readStackCell(slice ?? '', 'tvm.Slice', reading.cells) };
    case 'tvm.stackEntryTuple':
      return { kind: 'tuple', items: readElements(tuple, reading) };
    case 'tvm.stackEntryList':
      return buildList(readElements(list, reading));
    case 'tvm.stackEntryNull':
      return STACK_NULL;
    default:
      throw unsupported(typeof type === 'string' ? type : 'none');
  }
}

function readElements(value: JsonValue | undefined, { cells, depth }: Reading): StackValue[] {
  const elements = isJsonObject(value) ? value.elements : value;
  if (!Array.isArray(elements)) throw new InvalidRequest('Invalid stack entry: elements expected');
  if (depth >= MAX_DEPTH) throw new InvalidRequest(`Stack depth >= ${MAX_DEPTH}`);
  return elements.map((element: JsonValue) => readEntry(element, { cells, depth: depth + 1 }));
}

/** @throws InvalidRequest */
function readNumber(value: JsonValue | undefined): StackValue {
  if (typeof value === 'bigint') return { kind: 'int', value };
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { kind: 'int', value: BigInt(value) };
  const number = typeof value === 'string' ? parseStackNumber(value) : null;
  if (number === null) throw new InvalidRequest('Wrong type of number in stack entry');
  return { kind: 'int', value: number };
}

function unsupported(type: string): HttpError {
  return new HttpError(542, `Unsupported stack entry type: ${type}`);
}
