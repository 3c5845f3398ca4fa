import { Type } from 'typebox';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { type AccountId, accountFromText } from '../../read/account-id.ts';
import { ListTooLongError, type Parameter, ParameterError, single } from './parameter.ts';

/** 64 hex digits (with or without `0x`), or 44 characters of either base64; 64 upper-case hex digits inside. */
export function readHash(text: string): string | null {
  if (/^(0[xX])?[0-9a-fA-F]{64}$/.test(text)) return text.slice(-64).toUpperCase();
  const bytes = text.length === 44 && text.endsWith('=') ? fromBase64(text) : null;
  return bytes?.length === 32 ? bytes.toHex().toUpperCase() : null;
}

function need<T>(value: T | null, index: number | null = null): T {
  if (value === null) throw new ParameterError(index);
  return value;
}

/** Values of a list, unless the contract has another bound (errors-and-limits.md 5.1). */
const MAX_VALUES = 1000;

/** The items that are not empty. @throws ListTooLongError */
function bounded(items: readonly string[], most: number): readonly string[] {
  const given = items.filter((item) => item !== '');
  if (given.length > most) throw new ListTooLongError(most);
  return given;
}

/** Repeated, and each value may hold a comma-separated list; empty items are skipped. */
function list<T>(description: string, read: (text: string) => T | null): Parameter<readonly T[]> {
  return {
    schema: Type.Array(Type.String(), { description, maxItems: MAX_VALUES }),
    absent: [],
    read: (values) => {
      const items = values.flatMap((value) => value.split(','));
      return bounded(items, MAX_VALUES).map((item, index) => need(read(item), index));
    },
  };
}

export function hash(description: string): Parameter<string | undefined> {
  return single(Type.String({ description }), (text) => need(readHash(text)));
}

export function hashes(description: string): Parameter<readonly string[]> {
  return list(description, readHash);
}

export function account(description: string): Parameter<AccountId | undefined> {
  return single(Type.String({ description }), (text) => need(accountFromText(text)));
}

export function accounts(description: string): Parameter<readonly AccountId[]> {
  return list(description, accountFromText);
}

/** An account, or the word `null` for messages without that side. */
export function accountOrNull(description: string): Parameter<AccountId | null | undefined> {
  return single(Type.String({ description }), (text) =>
    text === 'null' ? null : need(accountFromText(text)),
  );
}

/** Repeated text, taken as it is: not cut at commas; empty items are skipped. */
export function texts(description: string, most = MAX_VALUES): Parameter<readonly string[]> {
  return {
    schema: Type.Array(Type.String(), { description, maxItems: most }),
    absent: [],
    read: (values) => bounded(values, most),
  };
}
