import { describe, expect, it } from 'vitest';
import type { TokenOverride } from '../../../../src/api/metadata-port.ts';
import type { TokenKind, TokenRow } from '../../../../src/api/read/token-row.ts';
import { metadataOf } from '../../../../src/api/v3/answers/token-metadata.ts';

const ADDRESS = `0:${'A1'.repeat(32)}`;
const LINK = 'https://example.org/1.json';

function infoOf(
  kind: TokenKind,
  content: Record<string, string> | null,
  linked: ReadonlyMap<string, Record<string, unknown> | null> = new Map(),
  override?: TokenOverride,
) {
  const row = { kind, address: ADDRESS, amount: '7', owner: null, parent: null } as TokenRow;
  const { [ADDRESS]: found } = metadataOf([row], () => content, { linked, overrideOf: () => override });
  return [found!.is_indexed, found!.token_info[0]];
}

describe('token_info', () => {
  it('on the chain alone', () => {
    expect(infoOf('jetton_master', { symbol: 'A', decimals: '6' })).toEqual([
      true,
      {
        valid: true,
        type: 'jetton_masters',
        symbol: 'A',
        is_nsfw: false,
        is_scam: false,
        extra: { decimals: '6' },
      },
    ]);
    expect(infoOf('jetton_master', { name: 'A' })).toEqual([true, { valid: false, type: 'jetton_masters' }]);
  });

  it('behind a link: not fetched, failed, fetched', () => {
    const head = { type: 'nft_items', nft_index: '7' };
    expect(infoOf('nft_item', { uri: LINK })).toEqual([false, head]);
    expect(infoOf('nft_item', { uri: LINK }, new Map([[LINK, null]]))).toEqual([
      true,
      { valid: false, ...head },
    ]);
    const fetched = { name: 'One', image: 5, attributes: [{ trait_type: 'a' }] };
    expect(infoOf('nft_item', { uri: LINK }, new Map([[LINK, fetched]]))).toEqual([
      true,
      {
        valid: true,
        ...head,
        name: 'One',
        is_nsfw: false,
        is_scam: false,
        extra: { attributes: [{ trait_type: 'a' }], uri: LINK },
      },
    ]);
  });

  it('what the chain says comes before what the link says, and the operator before both', () => {
    const linked = new Map([[LINK, { symbol: 'LINK', name: 'Link', decimals: 9 }]]);
    const content = { uri: LINK, symbol: 'CHAIN' };
    expect(infoOf('jetton_master', content, linked)).toMatchObject([
      true,
      { symbol: 'CHAIN', name: 'Link', extra: { decimals: '9', uri: LINK } },
    ]);
    const override = { content: { name: 'Mine' }, isNsfw: false, isScam: true };
    expect(infoOf('jetton_master', content, linked, override)).toMatchObject([
      true,
      { symbol: 'CHAIN', name: 'Mine', is_scam: true },
    ]);
    expect(infoOf('jetton_master', content, new Map(), override)).toMatchObject([
      true,
      { valid: true, symbol: 'CHAIN', name: 'Mine' },
    ]);
  });
});
