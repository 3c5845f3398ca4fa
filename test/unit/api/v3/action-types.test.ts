import { describe, expect, it } from 'vitest';
import { isShown, supportedTypes } from '../../../../src/api/v3/parameters/action-types.ts';

const purchase = { type: 'nft_purchase', ancestorTypes: [] };
const within = { type: 'nft_transfer', ancestorTypes: ['nft_purchase'] };
const claim = { type: 'dedust_v2_claim_fees', ancestorTypes: [] };

describe('what a client is shown', () => {
  it.each([
    // The type that folds the others in is newer than the client: it gets the parts.
    [['v1'], [within]],
    [['v2'], [within]],
    [['v3'], [purchase]],
    [['v4'], [purchase]],
    [['v5'], [purchase, claim]],
    [['latest'], [purchase, claim]],
    [[], [purchase, claim]],
    [['nft.v3'], [purchase]],
    [['nft_purchase'], [purchase]],
    // No shortcut and no type of ours: only the actions that everybody is shown.
    [['5'], [within]],
  ])('of %j', (names, shown) => {
    const supported = supportedTypes(names);
    expect([purchase, within, claim].filter((action) => isShown(action, supported))).toEqual(shown);
  });

  it('is set only by the header, if there is one', () => {
    expect(isShown(purchase, supportedTypes(['latest'], 'v1'))).toBe(false);
    expect(isShown(purchase, supportedTypes(['v1'], 'latest'))).toBe(true);
  });
});
