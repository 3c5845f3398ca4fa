import { describe, expect, it } from 'vitest';
import type { TokenKind, TokenRow } from '../../../../src/api/entities/tokens/model.ts';
import { ImageProxy } from '../../../../src/api/metadata/image-proxy.ts';
import type { TokenOverride } from '../../../../src/api/metadata-port.ts';
import { buildMetadata } from '../../../../src/api/v3/answers/tokens/token-metadata.ts';

const ADDRESS = `0:${'A1'.repeat(32)}`;
const LINK = 'https://example.org/1.json';

function infoOf(
  kind: TokenKind,
  content: Record<string, string> | null,
  linked: ReadonlyMap<string, Record<string, unknown> | null> = new Map(),
  override?: TokenOverride,
  images?: ImageProxy,
) {
  const row = { kind, address: ADDRESS, amount: '7', owner: null, parent: null } as TokenRow;
  const { [ADDRESS]: found } = buildMetadata([row], () => content, {
    linked,
    findOverride: () => override,
    getImages: (image) => images?.getExtra(image) ?? {},
  });
  return [found!.is_indexed, found!.token_info[0]];
}

describe('token_info', () => {
  it('only on the chain', () => {
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

  it("the chain's values come before the link's, and the operator's before both", () => {
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

  describe('images at a proxy', () => {
    const images = new ImageProxy('https://img.example.org', 'https://ipfs.example.org/ipfs/');
    const image = 'https://example.org/1.png';
    const content = { name: 'A', symbol: 'A', image };
    const source = Buffer.from(image).toString('base64url');
    const at = (options: string) => `https://img.example.org/unsafe/${options}/${source}`;
    const extraOf = (...given: Parameters<typeof infoOf>) =>
      (infoOf(...given)[1] as { extra: Record<string, unknown> }).extra;

    it('are there in three sizes, plain and blurred', () => {
      expect(extraOf('jetton_master', content, new Map(), undefined, images)).toEqual({
        _image_small: at('pr:small'),
        _image_small_blur: at('pr:small/bl:256'),
        _image_medium: at('pr:medium'),
        _image_medium_blur: at('pr:medium/bl:256'),
        _image_big: at('pr:big'),
        _image_big_blur: at('pr:big/bl:256'),
      });
      expect(extraOf('jetton_master', { name: 'A', symbol: 'A' }, new Map(), undefined, images)).toEqual({});
      expect(extraOf('jetton_master', content)).toEqual({});
    });

    it('are only blurred ones if the token is not safe, and empty if there is no such address', () => {
      const override = { content: {}, isNsfw: true, isScam: false };
      expect(extraOf('jetton_master', content, new Map(), override, images)).toEqual({
        _image_small: at('pr:small/bl:256'),
        _image_medium: at('pr:medium/bl:256'),
        _image_big: at('pr:big/bl:256'),
      });
      const own = { ...override, content: { name: 'A', _image_big: image } };
      expect(extraOf('nft_item', {}, new Map(), own)).toEqual({ _image_big: '' });
    });

    it("are those of the proxy, not of the document; the operator's values win", () => {
      const linked = new Map([[LINK, { ...content, _image_small: 'https://elsewhere.example/1.png' }]]);
      expect(extraOf('nft_item', { uri: LINK }, linked, undefined, images)).toMatchObject({
        _image_small: at('pr:small'),
      });
      const own = { content: { _image_small: 'https://mine.example/1.png' }, isNsfw: false, isScam: false };
      expect(extraOf('nft_item', { uri: LINK }, linked, own, images)).toMatchObject({
        _image_small: 'https://mine.example/1.png',
        _image_big: at('pr:big'),
      });
    });

    const forged = {
      _image_small: 'javascript:alert(1)',
      _image_small_blur: 'https://elsewhere.example/1.png',
      _image_medium: 'data:text/html,1',
      _image_big: 5,
      _image_big_blur: { a: 1 },
      _image_large: 'x',
      _IMAGE_small: 'x',
      ' _image_small': 'x',
    };
    const nsfw = { content: {}, isNsfw: true, isScam: false };

    it.each([
      ['without a proxy', undefined],
      ['with one', images],
    ])('are never taken from a document or a dictionary, %s', (_name, proxy) => {
      for (const kind of ['jetton_master', 'nft_collection', 'nft_item'] as const)
        for (const override of [undefined, nsfw, { ...nsfw, isNsfw: false }]) {
          const own = { name: 'A', symbol: 'A', uri: LINK };
          const behind = new Map([[LINK, forged]]);
          expect(extraOf(kind, own, behind, override, proxy)).toEqual({ uri: LINK });
          const inDictionary = { ...own, ...forged } as unknown as Record<string, string>;
          expect(extraOf(kind, inDictionary, new Map([[LINK, {}]]), override, proxy)).toEqual({ uri: LINK });
        }
    });

    it('replace the forged ones of a document that has an image', () => {
      const linked = new Map([[LINK, { ...content, ...forged }]]);
      const found = extraOf('nft_item', { uri: LINK }, linked, undefined, images);
      const addresses = Object.entries(found).filter(([name]) => name !== 'uri');
      expect(addresses).toHaveLength(6);
      for (const [, address] of addresses) expect(address).toMatch(/^https:\/\/img\.example\.org\//);
      expect(extraOf('nft_item', { uri: LINK }, linked, nsfw)).toEqual({ uri: LINK });
    });
  });
});
