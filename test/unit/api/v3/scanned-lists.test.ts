import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../src/api/v3/routes/endpoints.ts';

/* Which lists can be scanned: all that have pages. */

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Shape[];
}

const tellsNext = ({ properties = {}, anyOf = [] }: Shape): boolean =>
  'next_cursor' in properties || anyOf.some(tellsNext);

describe('lists of v3', () => {
  const paged = ENDPOINTS.filter(({ parameters }) => 'limit' in parameters || 'offset' in parameters);

  it.each(paged.map((one) => [one.path, one] as const))(
    '%s can be scanned',
    (_path, { parameters, answer }) => {
      expect(Object.keys(parameters)).toContain('cursor');
      expect(tellsNext(answer as Shape)).toBe(true);
    },
  );

  it('are many', () => expect(paged.length).toBeGreaterThan(25));
});
