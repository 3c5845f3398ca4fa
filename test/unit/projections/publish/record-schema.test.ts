import { join } from 'node:path';
import avsc, { type Schema } from 'avsc';
import { describe, expect, it } from 'vitest';
import { dueSchemas } from '../../../../scripts/generate-record-schemas.ts';
import { PUBLISHED } from '../../../../src/projections/publish/published.ts';
import { recordSchema } from '../../../../src/projections/publish/record-schema.ts';
import { MESSAGES } from '../../../../src/tables/messages.ts';

describe('schemas of typed topics', () => {
  it('have the fields of the columns (else: node scripts/generate-record-schemas.ts --write)', () => {
    expect(dueSchemas(join(import.meta.dirname, '../../../../schemas'))).toEqual([]);
  });

  it('have the comments of the columns as docs', () => {
    const output = PUBLISHED.find(({ kind }) => kind === 'message')!;
    const { doc, fields } = recordSchema(output, null);
    expect(doc).toBe(MESSAGES.comment);
    expect(fields.find(({ name }) => name === 'opcode')).toEqual({
      name: 'opcode',
      type: ['null', 'long'],
      doc: MESSAGES.columns.opcode.comment,
    });
  });

  it.each(PUBLISHED.map((output) => [output.kind, output] as const))(
    'of %s give each added field a default, so readers of both versions can read both',
    (_, output) => {
      const { fields, ...rest } = recordSchema(output, null);
      for (const { name, type } of fields) {
        // A later field uses the name that this one defines.
        if (JSON.stringify(type).includes('"name"')) continue;
        const older = { ...rest, fields: fields.filter((field) => field.name !== name) };
        const [from, to] = [older, recordSchema(output, older)].map((schema) =>
          avsc.Type.forSchema(schema as unknown as Schema),
        );
        expect(() => [to!.createResolver(from!), from!.createResolver(to!)]).not.toThrow();
      }
    },
  );
});
