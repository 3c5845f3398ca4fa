import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/api/http/json-source.ts';
import { parseJson } from '../../../../src/api/http/json-source.ts';
import type { Form } from '../../../../src/api/parameters/form.ts';
import { int32 } from '../../../../src/api/parameters/integer.ts';
import { list, optional, required } from '../../../../src/api/parameters/parameter.ts';
import { DECIMAL_SHARD } from '../../../../src/api/parameters/shard.ts';
import { blockCursor } from '../../../../src/api/v2/parameters/block-cursor.ts';
import { ACCOUNT_ID, ADDRESS, BOOLEAN, HASH, LOGICAL_TIME } from '../../../../src/api/v2/parameters/forms.ts';
import { HISTORY_PARAMETERS, historyCursor } from '../../../../src/api/v2/parameters/history-parameters.ts';
import { readParameters } from '../../../../src/api/v2/parameters/read-parameters.ts';

/** The value as a request's parameter gives it. */
function read<T>(form: Form<T>, value: JsonValue, name: string): T {
  return readParameters({ [name]: required(form, '') }, { [name]: value })[name] as T;
}

const HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3';
const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';

describe('integers', () => {
  const seqno = int32({ sign: 'positive' });

  it.each<[JsonValue, number]>([
    ['7', 7],
    [7, 7],
    ['2147483647', 2147483647],
  ])('reads %s', (value, expected) => {
    expect(read(seqno, value, 'seqno')).toBe(expected);
  });

  it.each<[JsonValue, string]>([
    ['0', 'seqno should be positive'],
    [-1, 'seqno should be positive'],
    ['2147483648', 'failed to parse seqno'],
    ['1.0', 'failed to parse seqno'],
    [1.5, 'failed to parse seqno'],
    ['1e3', 'failed to parse seqno'],
    ['0x10', 'failed to parse seqno'],
    [' 1', 'failed to parse seqno'],
    [true, 'failed to parse seqno'],
    [[1], 'failed to parse seqno'],
    [10n ** 30n, 'failed to parse seqno'],
  ])('refuses %s', (value, text) => {
    expect(() => read(seqno, value, 'seqno')).toThrow(text);
  });

  it('names the upper bound', () => {
    const limit = int32({ sign: 'positive', atMost: 1000 });
    expect(read(limit, '1000', 'limit')).toBe(1000);
    expect(() => read(limit, '1001', 'limit')).toThrow('limit should be less or equal 1000');
  });

  it('reads a logical time from its text', () => {
    expect(read(LOGICAL_TIME, parseJson('9007199254740993'), 'lt')).toBe(9007199254740993n);
    expect(read(LOGICAL_TIME, '9223372036854775807', 'lt')).toBe(2n ** 63n - 1n);
    expect(() => read(LOGICAL_TIME, '-1', 'lt')).toThrow('lt should be non-negative');
    expect(() => read(LOGICAL_TIME, '9223372036854775808', 'lt')).toThrow('failed to parse lt');
  });
});

describe('shard', () => {
  it.each<[JsonValue, bigint]>([
    ['-9223372036854775808', 0x8000000000000000n],
    ['6917529027641081856', 0x6000000000000000n],
    [parseJson('-9223372036854775808'), 0x8000000000000000n],
    // Output of JSON.stringify for −2^63, 2^61 and −2^62 held in doubles.
    [parseJson('-9223372036854776000'), 0x8000000000000000n],
    [parseJson('2305843009213694000'), 0x2000000000000000n],
    [parseJson('-4611686018427388000'), 0xc000000000000000n],
  ])('reads %s', (value, expected) => {
    expect(read(DECIMAL_SHARD, value, 'shard')).toBe(expected);
  });

  it.each<JsonValue>(['8000000000000000x', '-9223372036854776000', '18446744073709551615', 1.5])(
    'refuses %s',
    (value) => {
      expect(() => read(DECIMAL_SHARD, value, 'shard')).toThrow('failed to parse shard');
    },
  );
});

describe('hashes', () => {
  it.each([
    HEX,
    HEX.toUpperCase(),
    'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
    'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM=',
    'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
    // A query that did not escape its plus sign.
    'CPUE4WXeEJT Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
  ])('reads %s', (text) => {
    expect(read(HASH, text, 'hash').toHex()).toBe(HEX);
  });

  it.each<JsonValue>([
    'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM',
    HEX.slice(1),
    `${HEX.slice(1)}g`,
    `0x${HEX}`,
    5,
    {},
  ])('refuses %s', (value) => {
    expect(() => read(HASH, value, 'root_hash')).toThrow('failed to parse root_hash');
  });
});

describe('addresses', () => {
  it.each([
    RAW,
    RAW.toLowerCase(),
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
  ])('reads %s', (text) => {
    expect(read(ADDRESS, text, 'address')).toMatchObject({ workchain: 0 });
    expect(read(ACCOUNT_ID, text, 'after_hash').toHex().toUpperCase()).toBe(RAW.slice(2));
  });

  it.each<JsonValue>([RAW.slice(2), 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M', 1])(
    'refuses %s',
    (value) => {
      expect(() => read(ADDRESS, value, 'address')).toThrow('failed to parse address');
    },
  );

  it('takes bare hex and base64 as the account of a block cursor', () => {
    expect(read(ACCOUNT_ID, HEX, 'after_hash').toHex()).toBe(HEX);
    expect(() => read(ACCOUNT_ID, 'abc', 'after_hash')).toThrow('failed to parse after_hash');
  });
});

describe('truth values', () => {
  it.each<JsonValue>([true, 'YES', 'y', 't', 'True', 'on', '1', 1])('%s is true', (value) => {
    expect(read(BOOLEAN, value, 'archival')).toBe(true);
  });
  it.each<JsonValue>([false, 'No', 'n', 'F', 'false', 'off', '0', 0])('%s is false', (value) => {
    expect(read(BOOLEAN, value, 'archival')).toBe(false);
  });
  it.each<JsonValue>(['maybe', 2, []])('refuses %s', (value) => {
    expect(() => read(BOOLEAN, value, 'archival')).toThrow('failed to parse archival');
  });
});

describe('readParameters', () => {
  const parameters = {
    seqno: required(int32({ sign: 'positive' }), ''),
    hash: optional(HASH, ''),
  };

  it.each<JsonValue>([null, ''])('counts %s as absent', (nothing) => {
    expect(readParameters(parameters, { seqno: 1, hash: nothing }).hash).toBeUndefined();
    expect(() => readParameters(parameters, { seqno: nothing })).toThrow('seqno required');
  });

  it('does not look into the prototype', () => {
    expect(readParameters({ constructor: optional(HASH, '') }, {}).constructor).toBeUndefined();
  });

  it('accepts a list or a single value, and names the wrong parameter', () => {
    const libraries = { libraries: list(HASH, '', { isCut: false }) };
    expect(readParameters(libraries, { libraries: HEX }).libraries).toHaveLength(1);
    expect(readParameters(libraries, { libraries: [HEX, HEX] }).libraries).toHaveLength(2);
    expect(readParameters(libraries, {}).libraries).toEqual([]);
    const wrong = () => readParameters(libraries, { libraries: [HEX, 5] });
    expect(wrong).toThrow('failed to parse libraries');
  });

  it('ignores unknown fields and fills defaults', () => {
    const values = readParameters(HISTORY_PARAMETERS, { address: RAW, api_key: 'x' });
    expect(values).toMatchObject({ limit: 10, archival: false, lt: undefined, hash: undefined });
    expect(values).not.toHaveProperty('api_key');
  });
});

describe('cursors come whole', () => {
  const bytes = new Uint8Array(32);
  it('of an account', () => {
    expect(historyCursor(undefined, undefined)).toBeNull();
    expect(historyCursor(1n, bytes)).toEqual({ lt: 1n, hash: bytes });
    expect(() => historyCursor(1n, undefined)).toThrow('lt and hash should be used together');
    expect(() => historyCursor(undefined, bytes)).toThrow('lt and hash should be used together');
  });
  it('of a block', () => {
    expect(blockCursor(undefined, undefined)).toBeNull();
    expect(() => blockCursor(1n, undefined)).toThrow('after_lt and after_hash should be used together');
    expect(() => blockCursor(undefined, bytes)).toThrow('after_lt and after_hash should be used together');
  });
});
