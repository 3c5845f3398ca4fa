import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/api/http/errors/http-error.ts';
import { readQueryString } from '../../../src/api/http/query-string.ts';
import { ValueError } from '../../../src/api/parameters/form.ts';
import { parseHash } from '../../../src/api/parameters/hash.ts';
import { alias, withDefault } from '../../../src/api/parameters/parameter.ts';
import { OPCODE, SHARD } from '../../../src/api/parameters/shard.ts';
import {
  account,
  accountOrNull,
  accounts,
  BOOL,
  bool,
  hash,
  hashes,
  i32,
  looseSeqno,
  lt,
  texts,
  utime,
} from '../../../src/api/v3/parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../../../src/api/v3/parameters/paging.ts';
import { readParameters } from '../../../src/api/v3/parameters/read-parameters.ts';
import { parseSide, parseTransferSide } from '../../../src/api/v3/parameters/side.ts';
import { readSwitches } from '../../../src/api/v3/switches.ts';

/** The value read, or the word `refused`. */
function read<T>(run: () => T): T | 'refused' {
  try {
    return run();
  } catch (error) {
    if (error instanceof ValueError) return 'refused';
    throw error;
  }
}

const HEX = 'a1'.repeat(32);
const UPPER = HEX.toUpperCase();
const BASE64 = Buffer.from(HEX, 'hex').toString('base64');
const URL_HASH = `${'_'.repeat(42)}8=`;

describe('hashes', () => {
  it.each([
    [HEX, UPPER],
    [UPPER, UPPER],
    [`0x${HEX}`, UPPER],
    [BASE64, UPPER],
    [URL_HASH, 'FF'.repeat(32)],
    [BASE64.slice(0, 43), null],
    [BASE64.replace('o', ' '), null],
    [HEX.slice(2), null],
    ['', null],
    ['zz', null],
  ])('%s', (text, wanted) => {
    const bytes = parseHash(text, { hasPrefix: true });
    expect(bytes?.toHex().toUpperCase() ?? null).toBe(wanted);
  });

  it('come in lists, repeated and cut at commas, empty items skipped', () => {
    expect(hashes('').read([`${HEX},,${BASE64}`, '', HEX])).toEqual([UPPER, UPPER, UPPER]);
    expect(read(() => hash('').read(['']))).toBe('refused');
    expect(hash('').read(['zz', HEX])).toBe(UPPER);
  });
});

describe('shards', () => {
  it.each([
    ['8000000000000000', 1n << 63n],
    ['0x8000000000000000', 1n << 63n],
    ['-9223372036854775808', 1n << 63n],
    ['a000000000000000', 0xa000000000000000n],
    ['10', 0x10n],
    ['-1', (1n << 64n) - 1n],
    ['9223372036854775808', 'refused'],
    ['-9223372036854775809', 'refused'],
    ['', 'refused'],
    ['0x', 'refused'],
    ['shard', 'refused'],
  ])('%s', (text, wanted) => {
    expect(read(() => SHARD.read(text))).toBe(wanted);
  });
});

describe('opcodes', () => {
  it.each([
    ['0x0f8a7ea5', 0x0f8a7ea5],
    ['f8a7ea5', 0xf8a7ea5],
    ['10', 0x10],
    ['-1', 0xffffffff],
    ['2147483647', 0x7fffffff],
    ['4294967295', 'refused'],
    ['0x123456789', 'refused'],
    ['', 'refused'],
    ['op', 'refused'],
  ])('%s', (text, wanted) => {
    expect(read(() => OPCODE.read(text))).toBe(wanted);
  });
});

describe('numbers', () => {
  it.each([
    ['i32', i32(''), '', 0],
    ['i32', i32(''), '+5', 5],
    ['i32', i32(''), '-2147483648', -2147483648],
    ['i32', i32(''), '2147483648', 'refused'],
    ['i32', i32(''), '1e3', 'refused'],
    ['i32', i32(''), '1.5', 'refused'],
    ['utime', utime(''), '1700000000.75', 1700000000],
    ['utime', utime(''), '', 0],
    ['utime', utime(''), '-1', 'refused'],
    ['utime', utime(''), '99999999999', 0xffffffff],
    ['lt', lt(''), '18446744073709551615', (1n << 64n) - 1n],
    ['lt', lt(''), '18446744073709551616', 'refused'],
    ['lt', lt(''), '', 0n],
    ['lt', lt(''), '-1', 'refused'],
    ['bool', bool(''), 'on', true],
    ['bool', bool(''), 'False', false],
    ['bool', bool(''), 'yes', 'refused'],
    ['seqno', looseSeqno(''), 'abc', 0],
    ['seqno', looseSeqno(''), '7', 7],
  ] as const)('%s %#: %o', (_name, parameter, text, wanted) => {
    expect(read(() => parameter.read([text]))).toBe(wanted);
  });

  it('take the last of several values', () => {
    expect(i32('').read(['1', '2'])).toBe(2);
  });
});

describe('accounts', () => {
  const raw = `0:${HEX}`;
  const wanted = { workchain: 0, hash: UPPER };

  it('come in every form', () => {
    expect(account('').read([raw])).toEqual(wanted);
    expect(account('').read([raw.toUpperCase()])).toEqual(wanted);
    expect(accounts('').read([`${raw},${raw}`])).toEqual([wanted, wanted]);
    expect(read(() => account('').read(['']))).toBe('refused');
    expect(read(() => account('').read(['0:12']))).toBe('refused');
  });

  it('name the item of a list that was not understood', () => {
    expect(() => accounts('').read([`${raw},,nonsense`])).toThrow(
      new ValueError({ kind: 'unreadable', index: 1 }).message,
    );
  });

  it('may be the word null if that is allowed', () => {
    expect(accountOrNull('').read(['null'])).toBeNull();
    expect(accountOrNull('').read([raw])).toEqual(wanted);
  });

  it('as text are not cut at commas', () => {
    expect(texts('').read(['a,b', '', 'c'])).toEqual(['a,b', 'c']);
  });
});

describe('all parameters of an endpoint', () => {
  const definition = {
    limit: i32(''),
    hash: alias(hash(''), 'old_name'),
    flag: withDefault(BOOL, true, ''),
    account: accounts(''),
  };
  const values = (url: string) => readParameters(definition, readQueryString(url));

  it('have default values if they are absent', () => {
    expect(values('/')).toEqual({ limit: undefined, hash: undefined, flag: true, account: [] });
  });

  it('are found under any case and under their other names; unknown ones are ignored', () => {
    expect(values(`/?LIMIT=3&Old_Name=${HEX}&flag=0&other=1`)).toEqual({
      limit: 3,
      hash: UPPER,
      flag: false,
      account: [],
    });
  });

  it.each([
    ['/?Limit=x', 'failed to decode: schema: error converting value for "Limit"'],
    ['/?limit=x&hash=y', 'failed to decode: schema: error converting value for "limit" (and 1 other error)'],
    [
      '/?account[]=a&hash=y&limit=z',
      'failed to decode: schema: error converting value for "limit" (and 2 other errors)',
    ],
    ['/?account[]=a', 'failed to decode: schema: error converting value for index 0 of "account"'],
  ])('are refused together: %s', (url, text) => {
    expect(() => values(url)).toThrow(new HttpError(422, text));
  });
});

describe('pages', () => {
  const settings = { defaultLimit: 10, maxLimit: 1000 };
  const page = (url: string) =>
    toPage(readParameters({ ...PAGING, ...SORTING }, readQueryString(url)), settings);

  it.each([
    ['/', { limit: 10, offset: 0, descending: true }],
    ['/?limit=', { limit: 1, offset: 0, descending: true }],
    ['/?limit=0&offset=-5', { limit: 1, offset: 0, descending: true }],
    ['/?limit=1000&offset=7&sort=A', { limit: 1000, offset: 7, descending: false }],
    ['/?sort=DESC', { limit: 10, offset: 0, descending: true }],
    ['/?sort=d', { limit: 10, offset: 0, descending: true }],
  ])('%s', (url, wanted) => {
    expect(page(url)).toEqual(wanted);
  });

  it.each([
    ['/?limit=1001', 'limit is not allowed: 1001 > 1000'],
    ['/?sort=', 'wrong value for sort parameter'],
    ['/?sort=up', 'wrong value for sort parameter'],
  ])('%s is refused', (url, text) => {
    expect(() => page(url)).toThrow(new HttpError(422, text));
  });
});

describe('switches', () => {
  const read = (url: string, headers: Record<string, string> = {}) =>
    readSwitches(headers, readQueryString(url), { queryTimeoutMs: 3000 });

  it.each([
    ['/', {}, { addressBook: true, metadata: true, timeoutMs: 3000 }],
    ['/?x_no_address_book=1', {}, { addressBook: false, metadata: true, timeoutMs: 3000 }],
    ['/', { 'x-no-metadata': 'true' }, { addressBook: true, metadata: false, timeoutMs: 3000 }],
    ['/?X_Timeout=50', {}, { addressBook: true, metadata: true, timeoutMs: 50 }],
    ['/?x_timeout=9999', { 'x-timeout': '5' }, { addressBook: true, metadata: true, timeoutMs: 3000 }],
    ['/?x_timeout=soon', {}, { addressBook: true, metadata: true, timeoutMs: 3000 }],
  ])('%s %o', (url, headers, wanted) => {
    expect(read(url, headers as Record<string, string>)).toEqual({ ...wanted, actionsVersion: null });
  });
});

describe('sides', () => {
  it('are in, out or none', () => {
    expect([parseSide(undefined), parseSide(''), parseSide('in'), parseSide('out')]).toEqual([
      undefined,
      undefined,
      'in',
      'out',
    ]);
    expect(() => parseSide('IN')).toThrow(HttpError);
    expect(['in', 'both', ''].map(parseTransferSide)).toEqual(['in', undefined, undefined]);
    expect(() => parseTransferSide('up')).toThrow(HttpError);
  });
});
