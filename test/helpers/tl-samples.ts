import { BOXED, type Fields, TYPES } from '../../src/liteapi/schema/types.ts';
import type { SeededRandom } from './seeded-random.ts';

type Values = Record<string, unknown>;

/** Random values for the fields of a TL type. `mode` decides which optional fields are there. */
export function sampleFields(fields: Fields, random: SeededRandom): Values {
  const values: Values = {};
  for (const [name, kind] of Object.entries(fields)) {
    const [, bit, optional] = /^\[(\d+)\] (.+)$/.exec(kind) ?? [];
    if (optional === undefined) values[name] = name === 'mode' ? random.below(512) : sample(kind, random);
    else {
      const isSet = (((values.mode as number) >> Number(bit)) & 1) === 1;
      if (optional === 'true') values[name] = isSet;
      else if (isSet) values[name] = sample(optional, random);
    }
  }
  return values;
}

function sample(kind: string, random: SeededRandom): unknown {
  const item = /^vec (.+)$/.exec(kind)?.[1];
  if (item !== undefined) return Array.from({ length: random.below(4) }, () => sample(item, random));
  if (kind in TYPES) return sampleFields(TYPES[kind as keyof typeof TYPES].fields, random);
  if (kind in BOXED) {
    const names = BOXED[kind as keyof typeof BOXED];
    const type = names[random.below(names.length)] as keyof typeof TYPES;
    return { type, value: sampleFields(TYPES[type].fields, random) };
  }
  return sampleScalar(kind, random);
}

function sampleScalar(kind: string, random: SeededRandom): unknown {
  switch (kind) {
    case 'int':
      return random.below(2 ** 32) | 0;
    case 'u32':
      return random.below(2 ** 32);
    case 'long':
      return bytes(8, random).readBigInt64LE();
    case 'int256':
      return bytes(32, random);
    case 'bytes':
      return bytes([0, 1, 3, 253, 254, 1000][random.below(6)] as number, random);
    case 'string':
      return 'block is not in db: ä'.slice(0, random.below(21));
    case 'Bool':
      return random.below(2) === 1;
    default:
      throw new Error(`no sample of ${kind}`);
  }
}

function bytes(length: number, random: SeededRandom): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
