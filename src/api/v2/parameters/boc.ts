import { Type } from 'typebox';
import { fromBase64 } from '../../../ton/hash/base64.ts';
import { InvalidRequest } from '../errors.ts';
import type { Kind } from './kind.ts';

/** A bag of cells as text; what it holds is looked at later. */
export const BOC: Kind<Uint8Array> = {
  schema: Type.String({ description: 'base64 of a bag of cells' }),
  parse(value, name) {
    // A `+` that a form did not escape is a space.
    const bytes = typeof value === 'string' ? fromBase64(value.replaceAll(' ', '+')) : null;
    if (bytes === null) throw new InvalidRequest(`failed to parse ${name}`);
    return bytes;
  },
};
