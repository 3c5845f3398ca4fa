import { describe, expect, test } from 'vitest';
import {
  parseStartPoint,
  parseTrustedBlock,
  StartPointError,
} from '../../../../src/capture/liteserver/start-point.ts';

describe('--from', () => {
  test('is now, a seqno or a time in UTC', () => {
    expect(parseStartPoint('now')).toEqual({ kind: 'now' });
    expect(parseStartPoint('110000000')).toEqual({ kind: 'seqno', seqno: 110_000_000 });
    expect(parseStartPoint('2026-11-28')).toEqual({ kind: 'time', utime: Date.UTC(2026, 10, 28) / 1000 });
    expect(parseStartPoint('2026-11-28T10:00Z')).toEqual({
      kind: 'time',
      utime: Date.UTC(2026, 10, 28, 10) / 1000,
    });
  });

  test.each(['', 'head', '-1', '4294967296', '2026-13-01', '2026-11-28T10:00:00'])('refuses %j', (text) => {
    expect(() => parseStartPoint(text)).toThrow(StartPointError);
  });
});

describe('--trusted-block', () => {
  test('is a seqno and two hashes', () => {
    const { seqno, rootHash, fileHash } = parseTrustedBlock(`5:${'0a'.repeat(32)}:${'FF'.repeat(32)}`);
    expect([seqno, rootHash[0], fileHash[31]]).toEqual([5, 10, 255]);
  });

  test.each(['5', `x:${'0a'.repeat(32)}:${'0a'.repeat(32)}`, `5:${'0a'.repeat(31)}:${'0a'.repeat(32)}`])(
    'refuses %j',
    (text) => {
      expect(() => parseTrustedBlock(text)).toThrow(StartPointError);
    },
  );
});
