import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiTypes } from '../../../scripts/generate-api-types.ts';
import { schemaType } from '../../../scripts/layout/schema-type.ts';

const FILE = new URL('../../../src/client/operations.ts', import.meta.url);
const plain = { put: (type: string) => type };

describe('the types of the API', () => {
  it('are those of the documents: scripts/generate-api-types.ts --write', async () => {
    expect(readFileSync(FILE, 'utf8')).toBe(await apiTypes());
  });

  it('of schemas', () => {
    const schema = {
      type: 'object',
      properties: {
        '@type': { type: 'string', enum: ['a', 'b'] },
        rows: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
        more: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['rows'],
    };
    expect(schemaType(schema, plain)).toBe(
      '{ readonly "@type"?: "a" | "b"; readonly rows: readonly (number | null)[]; readonly more?: Readonly<Record<string, string>>; }',
    );
    expect(() => schemaType({ type: 'tuple' }, plain)).toThrow('no type');
  });
});
