import { Type } from 'typebox';
import { methodId } from '../../../ton/tvm/get-method.ts';
import { InvalidRequest } from '../errors.ts';
import type { Kind } from './kind.ts';

const NUMBER = /^-?\d{1,10}$/;

/** A get method by its name, or by its number; a numeric text is a number. */
export const METHOD: Kind<number> = {
  schema: Type.Union([Type.String(), Type.Integer()], { description: 'name or number of the get method' }),
  parse(value, name) {
    if (typeof value === 'string' && !NUMBER.test(value)) return methodId(value);
    const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
    if (!Number.isInteger(id) || id !== (id | 0)) throw new InvalidRequest(`failed to parse ${name}`);
    return id;
  },
};
