import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderTypes } from '../../../../src/platform/avro/render-types.ts';
import { loadSchemas } from '../../../../src/platform/avro/schema-files.ts';
import { PUBLISHED } from '../../../../src/projections/publish/published.ts';

const root = resolve(import.meta.dirname, '../../../..');
const schemas = loadSchemas(resolve(root, 'schemas'));

interface Documented {
  readonly doc?: string;
  readonly fields: readonly { readonly name: string; readonly doc?: string }[];
}

describe('schemas', () => {
  it('are what generated.ts was made from (else: node scripts/generate-avro-types.ts)', () => {
    expect(readFileSync(resolve(root, 'src/platform/avro/generated.ts'), 'utf8')).toBe(
      renderTypes(
        schemas,
        PUBLISHED.map(({ kind }) => kind),
      ),
    );
  });

  it('document every record and field', () => {
    for (const { kind, version, source } of schemas.byId.values()) {
      const { doc, fields } = source as unknown as Documented;
      const silent = fields.filter((field) => !field.doc).map(({ name }) => name);
      expect({ kind, version, documented: Boolean(doc), silent }).toEqual({
        kind,
        version,
        documented: true,
        silent: [],
      });
    }
  });

  it('have ids from 1, without gaps', () => {
    expect([...schemas.byId.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: schemas.byId.size }, (_, index) => index + 1),
    );
  });
});
