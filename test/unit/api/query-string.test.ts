import { describe, expect, it } from 'vitest';
import { readQueryString } from '../../../src/api/http/query-string.ts';

const sent = (url: string) =>
  Object.fromEntries([...readQueryString(url)].map(([name, { values }]) => [name, values]));

describe('the query of a request', () => {
  it.each([
    ['/x', {}],
    ['/x?', {}],
    ['/x?a=1&a=2', { a: ['1', '2'] }],
    ['/x?a[]=1&a%5B%5D=2', { a: ['1', '2'] }],
    ['/x?Account=1&ACCOUNT=2', { account: ['1', '2'] }],
    ['/x?a', { a: [''] }],
    ['/x?hash=a%2Bb%2F%3D', { hash: ['a+b/='] }],
    ['/x?hash=a+b', { hash: ['a b'] }],
  ])('%s', (url, wanted) => {
    expect(sent(url)).toEqual(wanted);
  });

  it('keeps the spelling that was sent, for error texts', () => {
    expect(readQueryString('/x?Mc_Seqno=1').get('mc_seqno')?.name).toBe('Mc_Seqno');
  });
});
