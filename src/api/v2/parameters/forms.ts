import { Type } from 'typebox';
import { address, parseAnyAddress } from '../../parameters/address.ts';
import { bagOfCells } from '../../parameters/boc.ts';
import { boolean, type TruthWords } from '../../parameters/boolean.ts';
import { type Form, readable, toText } from '../../parameters/form.ts';
import { hashBytes, parseHash } from '../../parameters/hash.ts';
import { INT64, logicalTime } from '../../parameters/integer.ts';

/*
 * How v2 takes values (contract/v2-endpoints.md section 4): a query that did not escape its `+` is understood.
 */

const TOLERANT = { isTolerant: true } as const;

export const LOGICAL_TIME = logicalTime(INT64);
export const HASH = hashBytes(TOLERANT);
export const ADDRESS = address(TOLERANT);
export const BOC = bagOfCells(TOLERANT);

const WORDS: TruthWords = {
  yes: new Set(['y', 'yes', 't', 'true', 'on', '1']),
  no: new Set(['n', 'no', 'f', 'false', 'off', '0']),
  isExact: false,
};
export const BOOLEAN = boolean(WORDS);

/** The account of a block's cursor: the 32 bytes of its id as a hash, or a whole address. */
export const ACCOUNT_ID: Form<Uint8Array> = {
  schema: Type.String({
    format: 'ton-hash',
    description: 'account id: 64 hex digits, base64 of 32 bytes, or a whole address',
  }),
  read(value) {
    const text = toText(value);
    return readable(parseHash(text, TOLERANT) ?? parseAnyAddress(text, TOLERANT)?.hash);
  },
};
