import { describe, expect, it } from 'vitest';
import { pauseAfter } from '../../../../src/api/metadata/content-fetcher.ts';
import { toStoredContent } from '../../../../src/api/metadata/off-chain-content.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a fetched document', () => {
  it('is stored as JSON, with numbers as they were written', () => {
    const kept = toStoredContent(
      bytes('{ "name": "A", "supply": 12345678901234567890123, "list": [1, {"a": null}] }'),
    );
    expect(kept).toBe('{"name":"A","supply":"12345678901234567890123","list":[1,{"a":null}]}');
  });

  it.each([
    ['no JSON', bytes('<html>')],
    ['an array', bytes('[]')],
    ['a text', bytes('"x"')],
    ['null', bytes('null')],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['nested too deep', bytes(`{"a":${'['.repeat(50)}${']'.repeat(50)}}`)],
    ['nested deeper than any reader goes', bytes(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`)],
  ])('is refused: %s', (_name, document) => {
    expect(toStoredContent(document)).toBe(null);
  });

  it('that is large is kept with its best-known attributes', () => {
    const document = {
      name: 'n'.repeat(100_000),
      symbol: 'S',
      decimals: 9,
      attributes: new Array(10_000).fill('x'),
    };
    expect(JSON.parse(toStoredContent(bytes(JSON.stringify(document)))!)).toEqual({
      name: 'n'.repeat(8192),
      symbol: 'S',
      decimals: 9,
    });
  });
});

it('pauses grow with every failure, up to a week', () => {
  expect([1, 2, 3, 4].map(pauseAfter)).toEqual([60, 240, 960, 3840]);
  expect(pauseAfter(0)).toBe(7 * 24 * 3600);
  expect(pauseAfter(255)).toBe(7 * 24 * 3600);
});
