import { Type } from 'typebox';
import { ADDRESS_TEXT } from '../../parameters/address.ts';
import { boolean, parseTruth, type TruthWords } from '../../parameters/boolean.ts';
import { type Form, readable, toText, ValueError } from '../../parameters/form.ts';
import { HASH_TEXT, parseHash } from '../../parameters/hash.ts';
import { int32, logicalTime, UINT64 } from '../../parameters/integer.ts';
import {
  list,
  optional,
  type Parameter,
  texts as textList,
  withDefault,
} from '../../parameters/parameter.ts';
import { OPCODE, SHARD } from '../../parameters/shard.ts';
import { type AccountId, accountFromText } from '../../query/account-id.ts';

/*
 * How v3 takes values (v3-endpoints.md 1.2): all of them are texts, and of numbers the empty text is 0.
 */

const LOOSE = { isLoose: true } as const;
const LARGEST_UTIME = 0xffff_ffff;
/** Values of a list, unless the contract has another bound (errors-and-limits.md 5.1). */
const MAX_VALUES = 1000;
const LIST = { isCut: true, most: MAX_VALUES } as const;

const I32 = int32({}, LOOSE);
const LT = logicalTime(UINT64, LOOSE);

const WORDS: TruthWords = {
  yes: new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on']),
  no: new Set(['0', 'f', 'F', 'FALSE', 'false', 'False', '']),
  isExact: true,
};
export const BOOL = boolean(WORDS);

/** The words that mean true or false; null for any other. */
export function readBool(text: string): boolean | null {
  return parseTruth(text, WORDS);
}

/** Unix seconds; a fraction is dropped; times beyond 32 bits are the latest one, which no block reaches. */
const UTIME: Form<number> = {
  schema: Type.Integer({ minimum: 0 }),
  read(value) {
    const text = toText(value);
    if (text === '') return 0;
    const seconds = readable(/^\+?(\d+)(\.\d*)?$/.exec(text)?.[1]);
    return Math.min(Number(seconds), LARGEST_UTIME);
  },
};

/** A masterchain seqno where whatever is not a number counts as 0, which no block has (v3-endpoints.md 2.2). */
const LOOSE_SEQNO: Form<number> = {
  schema: I32.schema,
  read(value) {
    try {
      return I32.read(value);
    } catch (error) {
      if (error instanceof ValueError) return 0;
      throw error;
    }
  },
};

/** 64 upper-case hex digits inside. */
const HASH: Form<string> = {
  schema: HASH_TEXT,
  read: (value) =>
    // Without padding, and between blanks, since 1.3 (v3-more.md 7); a blank inside is a `+` that was not escaped.
    readable(parseHash(toText(value).trim(), { hasPrefix: true, isTolerant: true }))
      .toHex()
      .toUpperCase(),
};

const ACCOUNT: Form<AccountId> = {
  schema: ADDRESS_TEXT,
  read: (value) => readable(accountFromText(toText(value))),
};

const ACCOUNT_OR_NULL: Form<AccountId | null> = {
  schema: ADDRESS_TEXT,
  read: (value) => (value === 'null' || value === 'addr_none' ? null : ACCOUNT.read(value)),
};

export const i32 = (description: string) => optional(I32, description);
export const looseSeqno = (description: string) => withDefault(LOOSE_SEQNO, 0, description);
export const utime = (description: string) => optional(UTIME, description);
export const lt = (description: string) => optional(LT, description);
export const bool = (description: string) => optional(BOOL, description);
export const shard = (description: string) => optional(SHARD, description);
export const opcode = (description: string) => optional(OPCODE, description);
export const hash = (description: string) => optional(HASH, description);
/** Repeated, and each value may hold a comma-separated list; empty items are skipped. */
export const hashes = (description: string) => list(HASH, description, LIST);
export const account = (description: string) => optional(ACCOUNT, description);
export const accounts = (description: string, most: number = MAX_VALUES) =>
  list(ACCOUNT, description, { ...LIST, most });
/** The same, with the contract's own text for more than a thousand. */
export const accountsWithin = (description: string, tooMany: string) =>
  list(ACCOUNT, description, { ...LIST, tooMany });
/** An account, or the word `null` for messages without that side. */
export const accountOrNull = (description: string) => optional(ACCOUNT_OR_NULL, description);
/** Names of types: repeated, or joined by commas as published clients send them. */
export const typeNames = (description: string): Parameter<readonly string[]> =>
  list({ schema: Type.String(), read: toText }, description, LIST);
/** Addresses as the texts that they are, which answers repeat: repeated, or joined by commas as published clients send them. */
export const addressTexts = (description: string, most: number): Parameter<readonly string[]> =>
  list({ schema: ADDRESS_TEXT, read: toText }, description, { isCut: true, most });
/** One text, unchanged. */
export const text = (description: string) => optional({ schema: Type.String(), read: toText }, description);
/** Repeated text, unchanged and not split at commas; empty items are skipped. */
export const texts = (description: string, most: number = MAX_VALUES): Parameter<readonly string[]> =>
  textList(description, most);
