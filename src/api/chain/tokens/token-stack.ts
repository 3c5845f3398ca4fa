import { DataError } from '../../../platform/errors/error-kinds.ts';
import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellError } from '../../../ton/boc/cell-error.ts';
import { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { standardOrNone } from '../../../ton/contracts/read-fields.ts';
import { readText } from '../../../ton/contracts/tokens/token-content.ts';
import { type AccountAddress, storeAddress } from '../../../ton/store/store-address.ts';
import { readSnake } from '../../../ton/tlb/snake-text.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';

/** A get method's answer differs from its standard: the contract is not a token of this kind. */
export class NotThisTokenError extends DataError {
  readonly expected: string;
  readonly found: string;

  constructor(expected: string, found: string) {
    super(`expected ${expected}, found ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

export function readInt(value: StackValue | undefined): bigint {
  if (value?.kind === 'int') return value.value;
  throw new NotThisTokenError('a number', value?.kind ?? 'nothing');
}

/** A number is true unless it is 0. */
export const readFlag = (value: StackValue | undefined): boolean => readInt(value) !== 0n;

export const readDigits = (value: StackValue | undefined): string => readInt(value).toString();

/** Seconds, shares and counts are numbers in answers. */
const MAX_NUMBER = 2n ** 53n;

export function readNumber(value: StackValue | undefined): number {
  const found = readInt(value);
  if (found < 0n || found >= MAX_NUMBER) throw new NotThisTokenError('a number of 53 bits', 'another');
  return Number(found);
}

/** Text that begins in a slice; null if it is not UTF-8. */
export function readTextOrNull(value: StackValue | undefined): string | null {
  if (value?.kind !== 'slice' && value?.kind !== 'cell')
    throw new NotThisTokenError('a text', value?.kind ?? 'nothing');
  const boc = parseBoc(value.boc);
  const bytes = readSnake(boc, onlyRoot(boc), 0);
  return bytes && readText(bytes);
}

/** The bag of a cell. */
export function readCellBag(value: StackValue | undefined): Uint8Array {
  if (value?.kind === 'cell') return value.boc;
  throw new NotThisTokenError('a cell', value?.kind ?? 'nothing');
}

/** The account of an address in a slice or cell; null if it names none. */
export function readAddress(value: StackValue | undefined): AccountAddress | null {
  if (value?.kind === 'null') return null;
  if (value?.kind !== 'slice' && value?.kind !== 'cell')
    throw new NotThisTokenError('an address', value?.kind ?? 'nothing');
  const boc = parseBoc(value.boc);
  try {
    return standardOrNone(new CellSlice(boc, onlyRoot(boc)));
  } catch (error) {
    if (error instanceof CellError) throw new NotThisTokenError('an address', 'other bits');
    throw error;
  }
}

/** The same for a required address. */
export function requiredAddress(value: StackValue | undefined): AccountAddress {
  const address = readAddress(value);
  if (!address) throw new NotThisTokenError('an address', 'none');
  return address;
}

/** An address as an argument. */
export function addressSlice(address: AccountAddress): StackValue {
  return { kind: 'slice', boc: writeBag(new CellBuilder().with(storeAddress, address).cell()) };
}
