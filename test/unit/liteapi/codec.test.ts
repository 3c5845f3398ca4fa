import { describe, expect, test } from 'vitest';
import {
  decodeBoxed,
  decodeRequest,
  encodeBoxed,
  encodeRequest,
  UnknownFunctionError,
} from '../../../src/liteapi/schema/codec.ts';
import { FUNCTIONS } from '../../../src/liteapi/schema/functions.ts';
import { TYPES } from '../../../src/liteapi/schema/types.ts';
import type { FunctionName, TypeName } from '../../../src/liteapi/schema/values.ts';
import { TlError } from '../../../src/liteapi/tl/tl-error.ts';
import { SeededRandom } from '../../helpers/seeded-random.ts';
import { sampleFields } from '../../helpers/tl-samples.ts';

const ROUNDS = 20;
const random = new SeededRandom(40);
const typeNames = Object.keys(TYPES) as TypeName[];
const functionNames = Object.keys(FUNCTIONS) as FunctionName[];

describe('the TL codec', () => {
  test('has every id once', () => {
    const ids = [...Object.values(TYPES), ...Object.values(FUNCTIONS)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(typeNames)('encodes and decodes %s', (type) => {
    for (let round = 0; round < ROUNDS; round++) {
      const value = sampleFields(TYPES[type].fields, random);
      const bytes = encodeBoxed(type, value as never);
      expect(bytes.length % 4).toBe(0);
      expect(decodeBoxed(bytes)).toEqual({ type, value });
    }
  });

  test.each(functionNames)('encodes and decodes %s, with and without a wait prefix', (name) => {
    for (let round = 0; round < ROUNDS; round++) {
      const parameters = sampleFields(FUNCTIONS[name].fields, random);
      const wait = round % 2 === 0 ? null : { seqno: round, timeoutMs: 1000 };
      const bytes = encodeRequest(name, parameters as never, wait);
      expect(decodeRequest(bytes)).toEqual({ name, parameters, wait });
    }
  });

  test('refuses every shortened value and bytes after the end', () => {
    const value = sampleFields(TYPES.partialBlockProof.fields, new SeededRandom(3)) as never;
    const bytes = encodeBoxed('partialBlockProof', value);
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeBoxed(bytes.subarray(0, length))).toThrow(TlError);
    expect(() => decodeBoxed(Buffer.concat([bytes, Buffer.alloc(4)]))).toThrow(/4 more bytes/);
  });

  test('refuses a count of items that exceeds the bytes', () => {
    const bytes = encodeBoxed('libraryResult', { result: [] });
    bytes.writeUInt32LE(0xffffffff, 4);
    expect(() => decodeBoxed(bytes)).toThrow(
      /libraryResult.result: expected 4294967295 items, found 0 bytes/,
    );
  });

  test('names the field of a wrong value', () => {
    expect(() => encodeBoxed('currentTime', { now: 2 ** 31 })).toThrow(/signed 32-bit/);
    expect(() => encodeBoxed('version', { mode: 0, version: 1, capabilities: 2n ** 64n, now: 1 })).toThrow(
      /64-bit/,
    );
    expect(() => encodeRequest('getLibraries', { library_list: [Buffer.alloc(31)] }, null)).toThrow(
      /32 bytes, found 31/,
    );
    expect(() => encodeBoxed('libraryResult', {} as never)).toThrow(/libraryResult.result: expected vec/);
  });

  test('requires that optional fields and mode agree', () => {
    const id = { workchain: -1, shard: -(2n ** 63n), seqno: 1 };
    expect(() => encodeRequest('lookupBlock', { mode: 2, id }, null)).toThrow(/lookupBlock.lt/);
    expect(() => encodeRequest('lookupBlock', { mode: 1, id, lt: 5n }, null)).toThrow(/bit 1 of mode/);
    expect(() => encodeRequest('getOutMsgQueueSizes', { mode: 1, wc: 0 }, null)).toThrow(/shard/);
  });

  test('writes unsigned shards as the same 64 bits', () => {
    const signed = encodeBoxed('blockId', { workchain: 0, shard: -(2n ** 63n), seqno: 1 });
    expect(encodeBoxed('blockId', { workchain: 0, shard: 2n ** 63n, seqno: 1 })).toEqual(signed);
  });

  test('names a function and a type that it does not know', () => {
    const bytes = encodeRequest('getTime', {}, null);
    bytes.writeUInt32LE(0x01020304, 5);
    expect(() => decodeRequest(bytes)).toThrow(UnknownFunctionError);
    expect(() => decodeBoxed(Buffer.from('04030201', 'hex'))).toThrow(/01020304/);
  });
});
