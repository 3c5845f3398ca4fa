import { describe, expect, it } from 'vitest';
import { responseKey } from '../../../../../src/api/http/caching/response-key.ts';
import { readQueryString } from '../../../../../src/api/http/query-string.ts';
import { readParameters } from '../../../../../src/api/v3/parameters/read-parameters.ts';
import { ENDPOINTS } from '../../../../../src/api/v3/routes/endpoints.ts';

const transactions = ENDPOINTS.find(({ path }) => path === '/transactions')!;
const source = {
  databases: { base: 'b1', activity: 'a1', contracts: 'c1' },
  versions: { base: 1, activity: 1, contracts: 1 },
  visible: { first: 1, last: 9 },
  added: {},
};
const keyOf = (query: string) =>
  responseKey(
    source,
    '/transactions',
    readParameters(transactions.parameters, readQueryString(`/?${query}`)),
  );
const raw = `0:${'ab'.repeat(32)}`;

describe('the key of a response', () => {
  it.each([
    [`account=${raw}&limit=5`, `LIMIT=5&account=${raw.toUpperCase()}`],
    [`account=${raw}`, `account[]=${encodeURIComponent(raw)}&x_timeout=5&junk=${'x'.repeat(1000)}`],
    ['limit=5', 'limit=4&limit=05'],
    ['start_lt=7', 'start_lt=007'],
  ])('is the same for %s and %s', (one, other) => {
    expect(keyOf(other)).toBe(keyOf(one));
  });

  it.each([
    ['limit=5', 'limit=6'],
    ['start_lt=5', 'end_lt=5'],
    ['start_lt=5', 'start_lt=6'],
    [`account=${raw}`, `exclude_account=${raw}`],
  ])('differs for %s and %s', (one, other) => {
    expect(keyOf(other)).not.toBe(keyOf(one));
  });

  it('is as short for a thousand accounts as for one', () => {
    const many = Array.from({ length: 1000 }, (_, i) => `account=0:${`${i}`.padStart(64, '0')}`).join('&');
    expect(keyOf(many).length).toBe(43);
  });

  it('differs by route', () => {
    expect(responseKey(source, '/a', {})).not.toBe(responseKey(source, '/b', {}));
  });

  it.each([
    ['the version of a projection', { ...source, databases: { ...source.databases, activity: 'a2' } }],
    ['what the answer is read from', { ...source, databases: { base: 'b1' } }],
    ['the head', { ...source, visible: { first: 1, last: 10 } }],
    ['the first visible block', { ...source, visible: { first: 2, last: 9 } }],
  ])('differs by %s', (_what, other) => {
    expect(responseKey(other as typeof source, '/a', {})).not.toBe(responseKey(source, '/a', {}));
  });
});
