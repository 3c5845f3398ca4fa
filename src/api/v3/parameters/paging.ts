import { Type } from 'typebox';
import { HttpError } from '../../http/errors/http-error.ts';
import { toText } from '../../parameters/form.ts';
import { documented, optional, type Parameter } from '../../parameters/parameter.ts';
import type { Page } from '../../query/page.ts';
import type { ServeSettings } from '../../serve-context.ts';
import { i32 } from './forms.ts';

/** Parameter groups P and S of the contract. */
export const PAGING = {
  limit: documented(i32('Rows at most, 1 to 1000.'), { minimum: 1, maximum: 1_000 }),
  offset: documented(i32('Rows to skip.'), { minimum: 0 }),
} as const;

export const SORTING = { sort: sort('Order: asc or desc.') } as const;

function sort(description: string): Parameter<string | undefined> {
  return optional({ schema: Type.String({ enum: ['asc', 'desc'] }), read: toText }, description);
}

/** Values of PAGING, and of SORTING if a list has it. */
export interface PagingValues {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly sort?: string | undefined;
}

/** The page asked for: too small numbers are raised, a limit above the maximum and an unknown order are refused. */
export function toPage(
  values: PagingValues,
  settings: Pick<ServeSettings, 'defaultLimit' | 'maxLimit'>,
  descending = true,
): Page {
  const limit = Math.max(1, values.limit ?? settings.defaultLimit);
  if (limit > settings.maxLimit) {
    throw new HttpError(422, `limit is not allowed: ${limit} > ${settings.maxLimit}`);
  }
  return {
    limit,
    offset: Math.max(0, values.offset ?? 0),
    descending: values.sort === undefined ? descending : isDescending(values.sort),
  };
}

function isDescending(text: string): boolean {
  const word = text.toLowerCase();
  if (word === 'desc' || word === 'd') return true;
  if (word === 'asc' || word === 'a') return false;
  throw new HttpError(422, 'wrong value for sort parameter');
}
