import { describe, expect, it } from 'vitest';
import {
  and,
  identifier,
  join,
  sql,
  text,
  u32,
  u64,
  unsafeSql,
  versionedSql,
} from '../../../../src/api/query/sql.ts';

describe('a statement of fragments', () => {
  it('has the parameters of all its fragments, each value once', () => {
    const step = sql`mc_seqno <= ${u32(7)}`;
    const keys = sql`SELECT lt FROM ${identifier('base', 'blocks')} WHERE ${step}`;
    expect(sql`${keys} AND lt IN (${keys}) LIMIT ${u32(9)}`.render(null)).toEqual({
      sql:
        'SELECT lt FROM base.blocks WHERE mc_seqno <= {p0:UInt32}' +
        ' AND lt IN (SELECT lt FROM base.blocks WHERE mc_seqno <= {p0:UInt32}) LIMIT {p1:UInt32}',
      params: { p0: 7, p1: 9 },
    });
  });

  it('keeps equal values of different types apart', () => {
    expect(sql`${u32(7)}, ${u64(7n)}, ${text('7')}`.render(null)).toEqual({
      sql: '{p0:UInt32}, {p1:UInt64}, {p2:String}',
      params: { p0: 7, p1: '7', p2: '7' },
    });
  });

  it('sends text of a request as a parameter only', () => {
    const hostile = "'; DROP TABLE blocks --";
    expect(sql`domain = ${text(hostile)}`.render(null)).toEqual({
      sql: 'domain = {p0:String}',
      params: { p0: hostile },
    });
  });

  it('takes no plain string: it does not compile', () => {
    // @ts-expect-error: a string is no fragment.
    expect(() => sql`lt = ${'1 OR 1'}`.render(null)).toThrow();
    // @ts-expect-error: nor is one among conditions.
    expect(and('1 OR 1', sql`lt = 1`).render(null).sql).toBe('lt = 1');
  });

  it('is no text: a plain template literal would lose its parameters', () => {
    expect(() => `SELECT ${sql`1`}`).toThrow(TypeError);
  });

  it('is the same with another list in the place of a versioned one', () => {
    const list = versionedSql((tables) => (tables ? 'NULL' : 'gen_utime'));
    const statement = sql`SELECT ${list} FROM blocks LIMIT ${u32(1)}`;
    expect(statement.render({ blocks: {} }).sql).toBe('SELECT NULL FROM blocks LIMIT {p0:UInt32}');
    expect(statement.replace(list, unsafeSql('seqno')).render(null).sql).toBe(
      'SELECT seqno FROM blocks LIMIT {p0:UInt32}',
    );
  });
});

describe('conditions', () => {
  it('are joined by AND without the absent ones', () => {
    expect(and(sql`a = 1`, false, undefined, null, sql`b = 2`).render(null).sql).toBe('a = 1 AND b = 2');
    expect(and(null).render(null).sql).toBe('1');
    expect(join([sql`1`, sql`2`], ', ').render(null).sql).toBe('1, 2');
  });

  it('name tables by letters, digits and _ only', () => {
    expect(() => identifier('base', 'blocks; DROP')).toThrow(TypeError);
  });
});
