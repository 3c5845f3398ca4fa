import { expect, it } from 'vitest';
import { ROUTE_QUERIES } from '../../../bench/api/route-queries.ts';
import { ENDPOINTS } from '../../../src/api/v3/routes/endpoints.ts';

it('bench:api measures every GET route of v3, by parameters that it knows', () => {
  expect(Object.keys(ROUTE_QUERIES).toSorted()).toEqual(ENDPOINTS.map(({ path }) => path).toSorted());
  const keys = new Proxy({}, { get: () => ['1', '2'] }) as never;
  for (const { path, parameters } of ENDPOINTS)
    for (const [row, queriesOf] of Object.entries(ROUTE_QUERIES[path]!))
      for (const query of queriesOf(keys))
        for (const name of new URLSearchParams(query).keys())
          expect([path, row, name, Object.keys(parameters)]).toEqual([
            path,
            row,
            name,
            expect.arrayContaining([name]),
          ]);
});
