import { Type } from 'typebox';
import { methodId } from '../../../ton/contracts/codes/method-id.ts';
import { type Form, readable } from '../../parameters/form.ts';
import { int32 } from '../../parameters/integer.ts';

const NUMBER = /^-?\d{1,10}$/;

/** A get method by its name, or by its number; a numeric text is a number. */
export const METHOD: Form<number> = {
  schema: Type.Union([Type.String(), int32().schema], { description: 'name or number of the get method' }),
  read(value) {
    if (typeof value === 'string' && !NUMBER.test(value)) return methodId(value);
    const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
    return readable(id === (id | 0) ? id : null);
  },
};
