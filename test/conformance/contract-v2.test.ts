import type { TSchema } from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../src/api/v2/methods/methods.ts';
import { looseShapeOf, type Structure } from './contract-more.ts';
import { v2Fields } from './contract-v2.ts';

/* The objects of v2 in the contract against the schemas of the methods' results: each field, its type, whether it may be absent. */

/** Objects and fields that are never sent, with the reason. */
const NEVER: Readonly<Record<string, string>> = {
  'ext.message.message_decode_error': 'a body that is in a block can be read',
  'msg.dataDecryptedText': 'no key is known here',
  'blocks.blockSignatures.simplex': 'no source has blocks of the newer consensus',
};

describe('objects of v2', () => {
  let count = 0;
  const check = <T>(found: T, wanted: T, what: string) => {
    count++;
    expect({ what, found }).toEqual({ what, found: wanted });
  };
  afterAll(() => console.log(`contract, objects of v2: ${count} facts checked`));

  const fields = v2Fields();
  const schemas = schemasByTag();
  const models = [...new Set(fields.map(({ model }) => model))];

  it('are read whole', () => {
    expect(models.length).toBeGreaterThanOrEqual(40);
    expect(fields.length).toBeGreaterThan(160);
  });

  it.each(models.filter((model) => !(model in NEVER)))('%s', (model) => {
    const found = schemas.get(model) ?? [];
    check(found.length > 0, true, `${model} is in a result`);
    for (const schema of found)
      for (const { name, type, presence } of fields.filter((one) => one.model === model)) {
        if (`${model}.${name}` in NEVER) continue;
        const shape = looseShapeOf(schema, name);
        check(shape?.presence, presence, `${model}.${name}: presence`);
        if (type !== null) check(shape?.type, type, `${model}.${name}: type`);
      }
  });
});

/** All objects of the methods' results, by their `@type` values. */
function schemasByTag(): ReadonlyMap<string, readonly TSchema[]> {
  const found = new Map<string, Set<TSchema>>();
  const seen = new Set<unknown>();
  const look = (value: unknown) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { properties } = value as Structure;
    const tag = properties?.['@type'];
    for (const { const: name } of tag?.anyOf ?? (tag ? [tag] : [])) {
      if (typeof name !== 'string') continue;
      const known = found.get(name) ?? new Set();
      found.set(name, known.add(value as TSchema));
    }
    for (const inner of Object.values(value)) look(inner);
  };
  for (const { result } of METHODS) look(result);
  return new Map([...found].map(([name, all]) => [name, [...all]]));
}
