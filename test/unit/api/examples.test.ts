import { describe, expect, it } from 'vitest';
import { EMULATION_EXAMPLES } from '../../../src/api/emulate/examples.ts';
import { EMULATE_ENDPOINTS } from '../../../src/api/emulate/routes/endpoints.ts';
import { withExamples } from '../../../src/api/example-values.ts';
import { METHOD_EXAMPLES } from '../../../src/api/v2/examples.ts';
import { METHODS_BY_NAME } from '../../../src/api/v2/methods/methods.ts';
import { BODY_EXAMPLES, QUERY_EXAMPLES } from '../../../src/api/v3/examples.ts';
import { ENDPOINTS, POST_ENDPOINTS } from '../../../src/api/v3/routes/endpoints.ts';

describe('examples of the OpenAPI documents', () => {
  it('exist for every route, and for no other', () => {
    const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
    expect(sorted(Object.keys(QUERY_EXAMPLES))).toEqual(sorted(ENDPOINTS.map(({ path }) => path)));
    expect(sorted(Object.keys(BODY_EXAMPLES))).toEqual(sorted(POST_ENDPOINTS.map(({ path }) => path)));
    expect(sorted(Object.keys(EMULATION_EXAMPLES))).toEqual(
      sorted(EMULATE_ENDPOINTS.map(({ path }) => path)),
    );
    const methods = [...METHODS_BY_NAME.values()].map(({ name }) => name);
    expect(sorted(Object.keys(METHOD_EXAMPLES))).toEqual(sorted(methods));
  });

  it('name parameters that the route knows', () => {
    for (const { path, parameters } of ENDPOINTS)
      expect([path, Object.keys(parameters)]).toEqual([
        path,
        expect.arrayContaining(Object.keys(QUERY_EXAMPLES[path]!)),
      ]);
    for (const { name, parameters } of METHODS_BY_NAME.values())
      expect([name, Object.keys(parameters)]).toEqual([
        name,
        expect.arrayContaining(Object.keys(METHOD_EXAMPLES[name]!)),
      ]);
  });

  it('are only at their parameters', () => {
    const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } } };
    expect(withExamples(schema, { a: 'x' })).toEqual({
      properties: { a: { type: 'string', examples: ['x'] }, b: { type: 'string' } },
    });
  });
});
