import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../../src/platform/clickhouse/store-errors.ts';
import { cut, errorFacts } from '../../../../src/platform/observability/error-facts.ts';

describe('errors in logs', () => {
  it('are whole where they are short', () => {
    expect(cut('short')).toBe('short');
    expect(errorFacts(new TypeError('short'))).toMatchObject({ name: 'TypeError', message: 'short' });
  });

  it('leave out the middle of a statement, in the message, the stack and the cause', () => {
    const statement = `SELECT ${'0123456789'.repeat(40_000)} (SYNTAX_ERROR)`;
    const facts = { route: 'v3/test', queryId: 'q' };
    const error = new StoreError(
      { code: 62, type: 'SYNTAX_ERROR', message: statement },
      facts,
      new Error(statement),
    );
    const text = JSON.stringify(errorFacts(error));
    expect(text.length).toBeLessThan(5_000);
    expect(text).toContain('SELECT 0123456789');
    expect(text).toContain('(SYNTAX_ERROR)');
    expect(errorFacts(error)).toMatchObject({ code: 62, type: 'SYNTAX_ERROR', route: 'v3/test' });
  });
});
