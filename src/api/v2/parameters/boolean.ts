import { Type } from 'typebox';
import { InvalidRequest } from '../errors.ts';
import type { Kind } from './kind.ts';

const YES = new Set(['y', 'yes', 't', 'true', 'on', '1']);
const NO = new Set(['n', 'no', 'f', 'false', 'off', '0']);

/** A truth value: a JSON boolean, 0 or 1, or one of the words of contract/v2-endpoints.md section 4 in any case. */
export const BOOLEAN: Kind<boolean> = {
  schema: Type.Boolean(),
  parse(value, name) {
    if (typeof value === 'boolean') return value;
    const word = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : '';
    if (YES.has(word)) return true;
    if (NO.has(word)) return false;
    throw new InvalidRequest(`failed to parse ${name}`);
  },
};
