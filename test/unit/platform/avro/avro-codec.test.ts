import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AvroCodec } from '../../../../src/platform/avro/avro-codec.ts';
import {
  AvroDecodeError,
  AvroEncodeError,
  AvroSchemaError,
  UnknownKindError,
  UnknownSchemaIdError,
} from '../../../../src/platform/avro/avro-errors.ts';
import { compileSchema } from '../../../../src/platform/avro/avro-types.ts';
import type { NewestDatum, RawBlock } from '../../../../src/platform/avro/generated.ts';
import { loadSchemas } from '../../../../src/platform/avro/schema-files.ts';

const codec = new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../../../schemas')));

function block(boc: Uint8Array): RawBlock {
  return {
    network: 'mainnet',
    workchain: -1,
    shard: -(1n << 63n),
    seqno: 4_294_967_295n,
    root_hash: new Uint8Array(32).fill(1),
    file_hash: new Uint8Array(64).fill(2).subarray(16, 48),
    mc_seqno: 9_007_199_254_740_993n,
    boc,
  };
}

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('AvroCodec', () => {
  it.each([0, 1, 63, 64, 65_536, 300_000])('gives back a block of %i bytes', (length) => {
    const boc = Uint8Array.from({ length }, (_, index) => index % 256);
    const bytes = codec.encode('raw-block', block(boc));
    expect([...bytes.subarray(0, 5)]).toEqual([0, 0, 0, 0, 1]);
    const { kind, version, value } = codec.decode(bytes);
    expect({ kind, version }).toEqual({ kind: 'raw-block', version: 1 });
    expect({ ...value, boc: null }).toEqual({ ...block(boc), boc: null });
    expect(Buffer.compare(value.boc, boc)).toBe(0);
    expect(Buffer.isBuffer(value.boc)).toBe(false);
  });

  it('writes the fields as the Avro specification has them', () => {
    const value = {
      ...block(new Uint8Array([0xde, 0xad])),
      network: 'ab',
      workchain: 0,
      shard: 1n,
      seqno: -64n,
      mc_seqno: 64n,
    };
    const zigzag = [...[4, 0x61, 0x62], 0, 2, 0x7f];
    const hashes = [...new Uint8Array(32).fill(1), ...new Uint8Array(32).fill(2)];
    expect([...codec.encode('raw-block', value)]).toEqual([
      0,
      0,
      0,
      0,
      1,
      ...zigzag,
      ...hashes,
      0x80,
      1,
      4,
      0xde,
      0xad,
    ]);
  });

  it('does not share memory with what it was given or has returned', () => {
    const first = codec.encode('raw-block', block(new Uint8Array(10).fill(1)));
    codec.encode('raw-block', block(new Uint8Array(10).fill(2)));
    const decoded = codec.decode(first);
    first.fill(0xff);
    expect([...decoded.value.boc]).toEqual(new Array(10).fill(1));
  });

  it('keeps blocks and states apart', () => {
    const state: NewestDatum['raw-state'] = { ...block(new Uint8Array(3)), seqno: 0n };
    expect(codec.decode(codec.encode('raw-state', state))).toMatchObject({ kind: 'raw-state', version: 1 });
  });

  it.each([
    ['root_hash', 'tonhouse.Hash', new Uint8Array(31)],
    ['seqno', 'long', 5],
    ['mc_seqno', 'long', 1n << 63n],
    ['boc', 'bytes', 'deadbeef'],
    ['boc', 'bytes', undefined],
    ['workchain', 'int', 2 ** 31],
    ['network', 'string', 7],
  ])('names %s if it is not a %s', (field, expected, wrong) => {
    const value = { ...block(new Uint8Array(1)), [field]: wrong } as RawBlock;
    const error = caught(() => codec.encode('raw-block', value));
    expect(error).toBeInstanceOf(AvroEncodeError);
    expect(error).toMatchObject({ kind: 'raw-block', path: field, expected });
  });

  it('refuses a kind without a schema', () => {
    const error = caught(() => codec.encode('raw-blocks' as 'raw-block', block(new Uint8Array(1))));
    expect(error).toBeInstanceOf(UnknownKindError);
  });

  it('refuses every truncation, and bytes after the end', () => {
    const bytes = codec.encode('raw-block', block(new Uint8Array(100)));
    for (let length = 0; length < bytes.length; length++)
      expect(caught(() => codec.decode(bytes.subarray(0, length)))).toBeInstanceOf(AvroDecodeError);
    expect(caught(() => codec.decode(new Uint8Array([...bytes, 0])))).toBeInstanceOf(AvroDecodeError);
  });

  it('refuses a foreign header', () => {
    expect(caught(() => codec.decode(new Uint8Array([1, 0, 0, 0, 1])))).toBeInstanceOf(AvroDecodeError);
    const error = caught(() => codec.decode(new Uint8Array([0, 0, 0, 3, 231, 0])));
    expect(error).toBeInstanceOf(UnknownSchemaIdError);
    expect(error).toMatchObject({ id: 999 });
  });
});

describe('compileSchema', () => {
  it('reads bytes, fixed and long at any depth', () => {
    const type = compileSchema({
      type: 'record',
      name: 'Deep',
      fields: [
        { name: 'hash', type: { type: 'fixed', name: 'H', size: 2 } },
        { name: 'list', type: { type: 'array', items: 'H' } },
        { name: 'maybe', type: ['null', 'bytes'] },
        { name: 'map', type: { type: 'map', values: 'long' } },
      ],
    });
    const value = {
      hash: new Uint8Array([1, 2]),
      list: [new Uint8Array([3, 4])],
      maybe: new Uint8Array([5]),
      map: { a: 1n },
    };
    for (const maybe of [value.maybe, null])
      expect({ ...type.fromBuffer(type.toBuffer({ ...value, maybe })) }).toEqual({ ...value, maybe });
  });
});

describe('loadSchemas', () => {
  const record = (name: string) =>
    JSON.stringify({ type: 'record', name, fields: [{ name: 'a', type: 'int' }] });
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-schemas-'));
    mkdirSync(join(folder, 'thing'));
    writeFileSync(join(folder, 'ids.json'), '{ "thing": { "1": 7, "2": 9, "10": 8 } }');
    for (const version of [1, 2, 10])
      writeFileSync(join(folder, 'thing', `v${version}.avsc`), record('Thing'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('takes the highest number for the newest version', () => {
    const { byId, newest } = loadSchemas(folder);
    expect(newest.get('thing')).toMatchObject({ version: 10, id: 8 });
    expect([...byId.keys()].sort()).toEqual([7, 8, 9]);
  });

  it.each([
    ['a schema without an id', 'thing/v3.avsc', record('Thing')],
    ['an id without a schema', 'ids.json', '{ "thing": { "1": 7, "2": 9, "10": 8, "11": 10 } }'],
    ['an id given twice', 'ids.json', '{ "thing": { "1": 7, "2": 9, "10": 7 } }'],
    ['an id that is not a number', 'ids.json', '{ "thing": { "1": "7", "2": 9, "10": 8 } }'],
    ['a schema that is not valid', 'thing/v2.avsc', '{ "type": "record", "name": "Thing" }'],
    ['a type that does not exist', 'thing/v2.avsc', record('Thing').replace('int', 'integer')],
    ['what is not JSON', 'thing/v2.avsc', '{'],
    ['a file of another name', 'thing/draft.avsc', record('Thing')],
  ])('refuses %s', (_, file, content) => {
    writeFileSync(join(folder, file), content);
    expect(caught(() => loadSchemas(folder))).toBeInstanceOf(AvroSchemaError);
  });
});
