import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { decodeBoxed, encodeBoxed, encodeRequest } from '../../../src/liteapi/schema/codec.ts';
import { FUNCTIONS } from '../../../src/liteapi/schema/functions.ts';
import { TYPES } from '../../../src/liteapi/schema/types.ts';
import type { FunctionName, TypeName } from '../../../src/liteapi/schema/values.ts';
import { SeededRandom } from '../../helpers/seeded-random.ts';
import { sampleFields } from '../../helpers/tl-samples.ts';

interface Codec {
  encode(value: unknown, writer: Writer): void;
  decode(reader: unknown): unknown;
}
interface Writer {
  build(): Buffer;
}

// Packages without types that this project's settings accept: the schema and the buffers of ton-lite-client.
const load = createRequire(import.meta.url);
const { Codecs, Functions } = load('ton-lite-client/dist/schema') as {
  Codecs: Readonly<Record<string, Codec>>;
  Functions: Readonly<Record<string, { encodeRequest(value: unknown, writer: Writer): void }>>;
};
const { TLReadBuffer, TLWriteBuffer } = load('ton-tl') as {
  TLReadBuffer: new (bytes: Buffer) => unknown;
  TLWriteBuffer: new () => Writer;
};

const random = new SeededRandom(41);
const ROUNDS = 20;
/** Their schema is older: these types got other fields or constructors since. */
const CHANGED = new Set<string>([
  'transactionId',
  'blockTransactions',
  'blockLinkForward',
  'partialBlockProof',
]);

function theirName(name: string): string {
  return name.startsWith('adnl.') ? name.replaceAll('.', '_') : `liteServer_${name.replaceAll('.', '_')}`;
}
const theirType = (name: string) =>
  ['blockId', 'blockIdExt', 'zeroStateIdExt'].includes(name) ? `tonNode_${name}` : theirName(name);

/** The value after the id, as a copy: their reader changes the bytes that it reads. */
function copyOf(boxed: Uint8Array): Buffer {
  return Buffer.from(boxed.subarray(4));
}

/** Their id of `getValidatorStats` is another one, and they write bits of the type `true` as values. */
const CHANGED_FUNCTIONS = new Set<string>(['getValidatorStats', 'listBlockTransactions']);

const functions = (Object.keys(FUNCTIONS) as FunctionName[]).filter(
  (name) => theirName(name) in Functions && !CHANGED_FUNCTIONS.has(name),
);
const types = (Object.keys(TYPES) as TypeName[]).filter(
  (name) => theirType(name) in Codecs && !CHANGED.has(name),
);

describe('the schema of ton-lite-client', () => {
  test('has most functions and types', () => {
    expect(functions.length).toBe(21);
    expect(types.length).toBeGreaterThan(25);
  });

  test.each(functions)('encodes %s to the same bytes', (name) => {
    for (let round = 0; round < ROUNDS; round++) {
      const ours = encodeRequest(name, sampleFields(FUNCTIONS[name].fields, random) as never, null);
      const query = (Codecs.liteServer_query as Codec).decode(new TLReadBuffer(copyOf(ours))) as {
        data: Buffer;
      };
      const parameters = (Codecs[theirName(name)] as Codec).decode(new TLReadBuffer(copyOf(query.data)));
      const theirs = new TLWriteBuffer();
      Functions[theirName(name)]?.encodeRequest(parameters, theirs);
      const outer = new TLWriteBuffer();
      Functions.liteServer_query?.encodeRequest({ data: theirs.build() }, outer);
      expect(outer.build().toString('hex')).toBe(ours.toString('hex'));
    }
  });

  test.each(types)('reads %s and writes the same bytes', (name) => {
    for (let round = 0; round < ROUNDS; round++) {
      const ours = encodeBoxed(name, sampleFields(TYPES[name].fields, random) as never);
      const codec = Codecs[theirType(name)] as Codec;
      const theirs = new TLWriteBuffer();
      codec.encode(codec.decode(new TLReadBuffer(copyOf(ours))), theirs);
      expect(theirs.build().toString('hex')).toBe(ours.subarray(4).toString('hex'));
      expect(decodeBoxed(ours).type).toBe(name);
    }
  });
});
