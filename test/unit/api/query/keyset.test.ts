import { describe, expect, it } from 'vitest';
import { CursorError, cursorText, readCursor } from '../../../../src/api/query/cursor.ts';
import { I32, ID, keyset, U64 } from '../../../../src/api/query/keyset.ts';

interface Place {
  readonly lt: string;
  readonly workchain: number;
  readonly account: string;
}

const ACCOUNT = 'AB'.repeat(32);
const PLACE: Place = { lt: '5', workchain: -1, account: ACCOUNT };
const ROWS = keyset<Place>({ list: 'x', isResumable: true }, { lt: U64, workchain: I32, account: ID });
const ORDER = ROWS.order(['lt', 'page'], ['workchain', 'ASC'], ['account', 'DESC']);

describe('a keyset', () => {
  it('orders a list: a column goes the way of the page, or always one way', () => {
    expect(ORDER.by(true).render(null).sql).toBe('lt DESC, workchain ASC, account DESC');
    expect(ORDER.by(false).render(null).sql).toBe('lt ASC, workchain ASC, account DESC');
  });

  it('leaves the rows after a place in the same order', () => {
    const { sql, params } = ORDER.after(PLACE, true).render(null);
    expect(sql).toBe(
      'lt <= {p0:UInt64} AND (lt < {p0:UInt64} OR (workchain >= {p1:Int32} AND' +
        ' (workchain > {p1:Int32} OR (account < unhex({p2:String})))))',
    );
    expect(params).toEqual({ p0: '5', p1: -1, p2: ACCOUNT });
  });

  it('has the form of its cursors', () => {
    const cursor = { of: 'a'.repeat(12), first: 1, last: 9, after: PLACE };
    const text = cursorText(ROWS, cursor);
    expect(readCursor(ROWS, text)).toEqual(cursor);
    const other = keyset<Place>({ list: 'y', isResumable: true }, { lt: U64, workchain: I32, account: ID });
    expect(() => readCursor(other, text)).toThrow(CursorError);
    const hostile = cursorText(ROWS, { ...cursor, after: { ...PLACE, account: "') OR 1" } });
    expect(() => readCursor(ROWS, hostile)).toThrow(CursorError);
  });
});
