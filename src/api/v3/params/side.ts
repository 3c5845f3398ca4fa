import { Type } from 'typebox';
import { HttpError } from '../../http/http-error.ts';
import { type Parameter, single } from './parameter.ts';

/** `in` or `out`; checked by `sideOf`, since some endpoints ignore other words. */
export function side(description: string): Parameter<string | undefined> {
  return single(Type.String({ description, enum: ['in', 'out'] }), (text) => text);
}

/** The side of a message; any other word is refused (v3-endpoints.md 2.7, 2.10). */
export function sideOf(text: string | undefined): 'in' | 'out' | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'in' || text === 'out') return text;
  throw new HttpError(422, 'direction should be in or out');
}
