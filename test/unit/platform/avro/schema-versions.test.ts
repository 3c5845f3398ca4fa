import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import avsc, { type Schema } from 'avsc';
import { describe, expect, it } from 'vitest';
import { type CompiledSchema, loadSchemas } from '../../../../src/platform/avro/schema-files.ts';

const folder = resolve(import.meta.dirname, '../../../../schemas');
const schemas = [...loadSchemas(folder).byId.values()];

/** SHA-256 of every schema file: add the line of a new version, never change one. */
const RELEASED: Readonly<Record<string, string>> = {
  'raw-block/v1': '559b7eb3047fd2901fe26b2af69d3f7bc9b58171aa5afce1a373ff3d50163d0f',
  'raw-state/v1': 'b49575671b82d3012fd1dd1f34dd79834e8507fa477eb41b13b52c57c7c8eea8',
  'block/v1': '4e8ca085785701de8c22c1c6465a58880c0c7c18a1efbdcc1141bcd5eceb5132',
  'transaction/v1': 'abc8b7cc61d8e0697359af4723d2c4b50b418a54ae5f4f5075d64a9954d4d78d',
  'message/v1': '98fcd8f893038fdc91339da36bbc389e5c1d8d8198937df7bba184faca5eaebe',
  'finished-traces/v1': 'f187b5c684a3eb0b37b46ff0c85773685c9c2cc3aef0b0bc90fe49dcd6d2ed72',
  'detections/v1': 'd8f26d6c436210f8ef767004632461548a4d3f7b9f3baafc9fda6ac4c16b8354',
  'account-state/v1': '445b85ebf8d743711e71647068108f066ce655d6b63405e8675ec05d4a67bfe8',
};

/** Why a reader of one schema cannot take what was written by another, by Avro's rules of resolution; null if it can. */
function problem(reader: Schema, writer: Schema): string | null {
  try {
    avsc.Type.forSchema(reader).createResolver(avsc.Type.forSchema(writer));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Problems of the step from one version to the next: readers of either must take what either wrote. */
function problems(older: Schema, newer: Schema): string[] {
  return [problem(newer, older), problem(older, newer)].filter((text) => text !== null);
}

const nextOf = ({ kind, version }: CompiledSchema) =>
  schemas.find((schema) => schema.kind === kind && schema.version === version + 1);

describe('schema files', () => {
  it('are never edited after their release', () => {
    const found = schemas.map(({ kind, version }) => {
      const bytes = readFileSync(resolve(folder, `${kind}/v${version}.avsc`));
      return [`${kind}/v${version}`, createHash('sha256').update(bytes).digest('hex')];
    });
    expect(Object.fromEntries(found)).toEqual(RELEASED);
  });

  it('of each version are read by the next one, and the other way round', () => {
    for (const older of schemas) {
      const newer = nextOf(older);
      if (newer)
        expect({ kind: older.kind, problems: problems(older.source, newer.source) }).toEqual({
          kind: older.kind,
          problems: [],
        });
    }
  });
});

describe('the rule of versions', () => {
  interface Field {
    readonly name: string;
    readonly type: Schema;
    readonly default?: unknown;
  }
  const transaction = schemas.find(({ kind }) => kind === 'transaction')!.source as unknown as {
    readonly fields: readonly Field[];
  };
  const withFields = (fields: readonly Field[]) => ({ ...transaction, fields }) as unknown as Schema;
  const v1 = withFields(transaction.fields);

  it('takes a field more that has a default', () => {
    const added = { name: 'note', type: ['null', 'string'], default: null } as unknown as Field;
    expect(problems(v1, withFields([...transaction.fields, added]))).toEqual([]);
  });

  it.each([
    ['a field more without a default', [...transaction.fields, { name: 'note', type: 'string' as Schema }]],
    ['a field less', transaction.fields.slice(0, -1)],
    [
      'a narrower type',
      transaction.fields.map((field) => (field.name === 'lt' ? { ...field, type: 'int' as Schema } : field)),
    ],
    [
      'another name',
      transaction.fields.map((field) => (field.name === 'lt' ? { ...field, name: 'logical_time' } : field)),
    ],
  ])('refuses %s', (_what, fields) => {
    expect(problems(v1, withFields(fields))).not.toEqual([]);
  });
});
