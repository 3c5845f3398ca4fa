import { describe, expect, it } from 'vitest';
import { readSearch } from '../../../web/views/search-input.ts';

const FRIENDLY = '0QA8MG9MJukjyDMqxnxFMh0isAJLqSr9C7CH7i_gk-4OKH59';
const RAW = '0:3C306F4C26E923C8332AC67C45321D22B0024BA92AFD0BB087EE2FE093EE0E28';
const HASH = 'a1'.repeat(32);
const BASE64 = Buffer.alloc(32, 0xfb).toString('base64');

describe('a search text', () => {
  it.each([
    ['a friendly address', FRIENDLY, `#/account/${FRIENDLY}`],
    ['an address with + and /', FRIENDLY.replace('_', '/'), `#/account/${FRIENDLY}`],
    ['a raw address', RAW, `#/account/${encodeURIComponent(RAW)}`],
    ['a raw address of the masterchain', `-1:${'5'.repeat(64)}`, `#/account/-1%3A${'5'.repeat(64)}`],
    ['a masterchain seqno', '12345', '#/block/-1/8000000000000000/12345'],
    ['a seqno with separators', ' 12,345 ', '#/block/-1/8000000000000000/12345'],
    ['a block id', '(0,6000000000000000,77)', '#/block/0/6000000000000000/77'],
    ['a block id with colons', '0:6000000000000000:77', '#/block/0/6000000000000000/77'],
  ])('%s leads to its place', (_name, text, href) => {
    expect(readSearch(text)).toEqual({ kind: 'place', href });
  });

  it.each([HASH, HASH.toUpperCase(), BASE64, BASE64.replaceAll('/', '_').replaceAll('+', '-').slice(0, 43)])(
    '%s is a hash',
    (hash) => {
      expect(readSearch(hash)).toEqual({ kind: 'hash', hash });
    },
  );

  it('0x before a hash is left out', () => {
    expect(readSearch(`0x${HASH}`)).toEqual({ kind: 'hash', hash: HASH });
  });

  it.each(['alice.ton', 'Bob.T.me', 'пример.ton'])('%s is a domain', (domain) => {
    expect(readSearch(domain)).toEqual({ kind: 'domain', domain: domain.toLowerCase() });
  });

  it.each([
    ['nothing', '', 'Expected an address'],
    ['an address with a changed character', FRIENDLY.replace('MG9', 'MG8'), 'checksum'],
    ['another text of 48 characters', 'A'.repeat(48), 'An address begins with'],
    ['a short address', FRIENDLY.slice(0, 40), 'has 48 characters, and this has 40'],
    ['a short raw address', '0:12', '64 hex digits'],
    ['a short hash', HASH.slice(1), 'and this has 63'],
    ['an unknown word', '<img src=x>', 'none of the known forms'],
  ])('%s is refused with what was expected', (_name, text, reason) => {
    const found = readSearch(text);
    expect(found.kind).toBe('nothing');
    expect(found).toHaveProperty('reason', expect.stringContaining(reason));
    expect(found).toHaveProperty('reason', expect.stringContaining('Expected an address'));
  });
});
