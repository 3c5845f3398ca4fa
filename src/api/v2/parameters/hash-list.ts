import { Type } from 'typebox';
import { InvalidRequest } from '../errors.ts';
import { HASH } from './hash.ts';
import type { Kind } from './kind.ts';

/** Hashes: repeated in a query, a list in JSON; one alone counts as a list. */
export const HASH_LIST: Kind<readonly Uint8Array[]> = {
  schema: Type.Array(HASH.schema),
  parse(value, name) {
    const list = Array.isArray(value) ? value : [value];
    return list.map((item) => {
      if (typeof item !== 'string') throw new InvalidRequest(`failed to parse ${name}`);
      return HASH.parse(item, name);
    });
  },
};
