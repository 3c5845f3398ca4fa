import { describe, expect, it } from 'vitest';
import { TRANSACTIONS } from '../../../../src/api/entities/transactions/filter.ts';
import { HttpError } from '../../../../src/api/http/errors/http-error.ts';
import { cursorText, type PlaceForm } from '../../../../src/api/query/cursor.ts';
import { AUCTION_PLACE } from '../../../../src/api/v3/places.ts';
import { nextCursor, parseScan } from '../../../../src/api/v3/scan.ts';
import { findPlaceForms } from '../../../helpers/place-forms.ts';

/* Cursors that no server gave: each is refused with 422, whatever its digest is. */

const VISIBLE = { first: 10, last: 100 };
const PAGE = { limit: 1, offset: 0, descending: true } as Parameters<typeof parseScan>[2];

const FORMS = (await findPlaceForms()).map((form) => [form.list, form] as const);

const values = (cursor: string) => ({ cursor, limit: 1, offset: undefined });

/** The digest of the parameters, as a server gives it. */
const of = parseScan(TRANSACTIONS, values(''), PAGE, VISIBLE)!.of;

/** 200, or the status of the refusal. */
function statusOf(form: PlaceForm<unknown>, text: string): number {
  try {
    parseScan(form, values(text), PAGE, VISIBLE);
    return 200;
  } catch (error) {
    if (error instanceof HttpError) return error.status;
    throw error;
  }
}

const forged = (list: string, ...rest: unknown[]) =>
  Buffer.from(JSON.stringify([list, of, ...rest])).toString('base64url');

describe.each(FORMS)('a forged cursor of list %s', (list, form) => {
  it.each<[string, unknown[]]>([
    ['a far last', [10, 0xffff_ffff, null]],
    ['a last beyond any lag', [10, 1_101, null]],
    ['a last before first', [50, 49, null]],
    ['a far first without last', [0xffff_ffff, null, null]],
    ['a first before the index', [1, 100, null]],
    ['a negative first', [-1, 100, null]],
    ['a negative last', [10, -1, null]],
    ['a last beyond 32 bits', [10, 2 ** 32, null]],
    ['a last beyond any number', [10, 1e308, null]],
    ['a fraction', [10.5, 100, null]],
    ['a text for a number', ['10', 100, null]],
    ['null for first', [null, 100, null]],
    ['an empty place', [10, 100, {}]],
    ['a list for a place', [10, 100, []]],
    ['a text for a place', [10, 100, 'x']],
    ['no place at all', [10, 100]],
    ['one field more', [10, 100, null, 1]],
    ['a foreign field', [10, 100, { __proto: 1 }]],
  ])('%s', (_name, rest) => {
    expect(statusOf(form, forged(list, ...rest))).toBe(422);
  });

  it('of a server that is a little ahead is 503, so that the client asks again', () => {
    expect(statusOf(form, cursorText(form, { of, first: 10, last: 101, after: null }))).toBe(503);
    expect(statusOf(form, cursorText(form, { of, first: 10, last: 1_100, after: null }))).toBe(503);
    expect(statusOf(form, cursorText(form, { of, first: 10, last: 100, after: null }))).toBe(200);
  });
});

it('a cursor for later steps is taken until they come', () => {
  const form = TRANSACTIONS;
  const ascending = { ...PAGE, descending: false };
  const begin = parseScan(form, values(''), ascending, VISIBLE);
  const { next_cursor: next = '' } = nextCursor(form, begin, ascending, []);
  expect(parseScan(form, values(next), ascending, VISIBLE)).toMatchObject({ first: 101, window: null });
  expect(parseScan(form, values(next), ascending, { first: 10, last: 120 })?.window).toEqual({
    first: 101,
    last: 120,
  });
});

it.each(['9999999999', '-2147483649', '2147483648', '-0', '00'])(
  'a place in workchain %s is refused',
  (workchain) => {
    const place = { endTime: '1', address: `${workchain}:${'A'.repeat(64)}` };
    expect(statusOf(AUCTION_PLACE, forged('au', 10, 100, place))).toBe(422);
  },
);
