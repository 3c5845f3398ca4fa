import { Type } from 'typebox';
import { HttpError } from '../../http/errors/http-error.ts';
import { toText } from '../../parameters/form.ts';
import { optional, type Parameter } from '../../parameters/parameter.ts';

/** `in` or `out`; checked by `parseSide`, since some endpoints ignore other words. */
export function side(description: string): Parameter<string | undefined> {
  return optional({ schema: Type.String({ enum: ['in', 'out'] }), read: toText }, description);
}

/** The side of a message; any other word is refused (v3-endpoints.md 2.7, 2.10). */
export function parseSide(text: string | undefined): 'in' | 'out' | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'in' || text === 'out') return text;
  throw new HttpError(422, 'direction should be in or out');
}

/** The same of a list of transfers, where `both` is no side (v3-more.md 6.2). */
export function parseTransferSide(text: string | undefined): 'in' | 'out' | undefined {
  return text === 'both' ? undefined : parseSide(text);
}
