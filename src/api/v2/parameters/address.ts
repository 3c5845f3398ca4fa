import { Type } from 'typebox';
import { type ParsedAddress, parseAddress } from '../../../ton/address/address.ts';
import { InvalidRequest } from '../errors.ts';
import { parseHash } from './hash.ts';
import type { Kind } from './kind.ts';

/** An account address in any form. */
export const ADDRESS: Kind<ParsedAddress> = {
  schema: Type.String({ description: 'raw (`workchain:hex`) or friendly, either base64 alphabet' }),
  parse(value, name) {
    // A friendly address of the standard alphabet loses its `+` in a query that did not escape it.
    const parsed = typeof value === 'string' ? parseAddress(value.replaceAll(' ', '+')) : null;
    if (parsed === null) throw new InvalidRequest(`failed to parse ${name}`);
    return parsed;
  },
};

/** The account of a block's cursor: the 32 bytes of its id as a hash, or a whole address. */
export const ACCOUNT_ID: Kind<Uint8Array> = {
  schema: Type.String({ description: 'account id: 64 hex digits, base64 of 32 bytes, or a whole address' }),
  parse(value, name) {
    const text = typeof value === 'string' ? value : '';
    const id = parseHash(text) ?? parseAddress(text.replaceAll(' ', '+'))?.hash;
    if (!id) throw new InvalidRequest(`failed to parse ${name}`);
    return id;
  },
};
