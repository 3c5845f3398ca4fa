import { describe, expect, it } from 'vitest';
import { parseRoute, toHref } from '../../../web/routes.ts';
import { SENTENCES, toSentence } from '../../../web/views/action-sentences.ts';
import { countRates, toRate } from '../../../web/views/transaction-rate.ts';

describe('an address of the page', () => {
  it('has the values that it was made from', () => {
    const values = ['a/b+c=', '0:12', '#?%'];
    expect(parseRoute(toHref('search', ...values))).toEqual({ name: 'search', values });
  });

  it.each(['', '#', '#/'])('%s is the head', (hash) => {
    expect(parseRoute(hash)).toEqual({ name: 'head', values: [] });
  });

  it('that is not encoded rightly is taken as it is', () => {
    expect(parseRoute('#/search/%zz').values).toEqual(['%zz']);
  });
});

describe('the sentence of an action', () => {
  it('has addresses, amounts of its tokens, and text', () => {
    const details = {
      sender: '0:A',
      dex: 'dedust',
      dex_incoming_transfer: { asset: '0:B', amount: '5' },
      dex_outgoing_transfer: { asset: null, amount: '7' },
    };
    expect(toSentence('jetton_swap', details)).toEqual([
      { kind: 'address', value: '0:A' },
      { kind: 'words', text: ' swapped ' },
      { kind: 'tokens', value: '5', asset: '0:B' },
      { kind: 'words', text: ' for ' },
      { kind: 'tokens', value: '7', asset: null },
      { kind: 'words', text: ' on ' },
      { kind: 'text', value: 'dedust' },
    ]);
  });

  it('also exists if fields are missing', () => {
    for (const type of Object.keys(SENTENCES)) expect(toSentence(type, {})).not.toHaveLength(0);
  });

  it.each(['tgbtc_mint', 'toString', '__proto__'])('does not exist for %s', (type) => {
    expect(toSentence(type, {})).toBeNull();
  });
});

describe('the rate of transactions', () => {
  const blocks = [
    { gen_utime: '1000', tx_count: 5 },
    { gen_utime: '990', tx_count: 4 },
    { gen_utime: '1000', tx_count: 1 },
    { gen_utime: '900', tx_count: 1_000 },
  ];

  it('sums the blocks of a second, in the order of time', () => {
    expect(countRates(blocks)).toEqual([
      [900, 990, 1000],
      [1_000, 4, 6],
    ]);
  });

  it('is that of the last minute', () => {
    expect(toRate(blocks)).toBe('1.0');
    expect([toRate([]), toRate(blocks.slice(0, 1))]).toEqual(['–', '–']);
  });
});
