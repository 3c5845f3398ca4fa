import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TokenKind, TokenRow } from '../../src/api/entities/tokens/model.ts';
import { IMAGE_SIZES, ImageProxy, imageKey } from '../../src/api/metadata/image-proxy.ts';
import { jettonWalletAnswer } from '../../src/api/v3/answers/tokens/jetton-wallet.ts';
import { buildMetadata } from '../../src/api/v3/answers/tokens/token-metadata.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { addSample, differences, newShape, type Shape } from './shape.ts';

/*
 * Answers about tokens have the keys, types and forms of those that gemwallet, walletkit and mytonwallet recorded.
 * Differences are listed with the reason, and the list may name nothing that does not differ any more.
 */

const SOURCES = [
  'toncenter-v3/gemwallet',
  'toncenter-v3/walletkit',
  'toncenter-v3/mytonwallet',
  'toncenter-emulate/mytonwallet',
];
const HASH = 'p2DWKdU0PnbQRQF9ncIW/IoweoN3gV/rKwpcSQ5zNIY=';
const LINK = 'https://example.org/token.json';
const raw = (digits: string) => `0:${digits.repeat(32)}`;

function token(kind: TokenKind, facts: Partial<TokenRow> = {}): TokenRow {
  return {
    ...{
      address: raw('A1'),
      kind,
      lt: '59023100000001',
      codeHash: HASH,
      dataHash: HASH,
      amount: '500',
      since: 1,
    },
    ...{ flag: true, owner: raw('B2'), parent: raw('C3'), childCode: HASH, content: '', link: '' },
    ...facts,
  };
}

/** Objects of a kind, wherever they are in a recording. */
function collect(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = name in value ? [(value as Record<string, unknown>)[name]] : [];
  return [...here, ...Object.values(value).flatMap((inner) => collect(inner, name))];
}

/** Names and values of attributes beyond the usual ones are up to the token: `.extra` is a map. */
function shapeOf(samples: readonly unknown[]): Shape {
  const shape = newShape();
  for (const sample of samples) addSample(shape, sample, (path) => path === '.extra');
  return shape;
}

/** Differences from the recordings, with the reason. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  '.is_nsfw new': 'newer than these recordings (v3-models.md 3)',
  '.is_scam new': 'newer than these recordings (v3-models.md 3)',
};

describeWithData('answers about tokens compared with recorded ones', (data) => {
  const folder = join(data, 'api-recordings');
  const recordings = SOURCES.flatMap((source) =>
    readdirSync(join(folder, source), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, source, name), 'utf8')) as unknown),
  );

  it('jetton wallets', () => {
    const recorded = recordings.flatMap((one) => collect(one, 'jetton_wallets')).flat();
    expect(recorded.length).toBeGreaterThan(5);
    const ours = [jettonWalletAnswer(token('jetton_wallet'))];
    expect(differences(shapeOf(recorded), shapeOf(ours))).toEqual([]);
    expect(Object.keys(ours[0]!)).toEqual(Object.keys(recorded[0] as object));
  });

  it.each([
    ['jetton_wallets', token('jetton_wallet')],
    ['jetton_masters', token('jetton_master')],
    ['nft_items', token('nft_item', { amount: '12' })],
    ['nft_collections', token('nft_collection')],
  ] as const)('metadata of %s', (type, row) => {
    const infos = recordings.flatMap((one) => collect(one, 'token_info')).flat() as {
      type: string;
      valid?: boolean;
    }[];
    const recorded = infos.filter((info) => info.type === type && info.valid === true);
    expect(recorded.length).toBeGreaterThan(0);
    const content = { name: 'N', symbol: 'S', description: 'D', image: 'https://i' };
    const linked = new Map([[LINK, content]]);
    const { [row.address]: ours } = buildMetadata([row], () => ({ uri: LINK }), {
      linked,
      findOverride: () => undefined,
      getImages: () => ({}),
    });
    expect(ours!.is_indexed).toBe(true);
    const found = differences(shapeOf(recorded), shapeOf(ours!.token_info));
    expect(found.filter((line) => !(line in DIFFERENCES))).toEqual([]);
  });

  it("addresses of images equal the recorded proxy's except for the signature", () => {
    type Info = { readonly image?: string; readonly extra?: Record<string, unknown> };
    const infos = recordings.flatMap((one) => collect(one, 'token_info')).flat() as Info[];
    const images = new ImageProxy('https://imgproxy.toncenter.com', 'https://ipfs.io/ipfs/');
    const unsigned = (address: string) => address.replace(/^(https:\/\/[^/]+\/)[^/]+/, '$1');
    const compared = infos.flatMap(({ image, extra = {} }) => {
      const ours = images.getExtra(image ?? '');
      return IMAGE_SIZES.map(imageKey).flatMap((key) => {
        const recorded = extra[key];
        return typeof recorded === 'string' && ours[key] ? [[recorded, ours[key]] as const] : [];
      });
    });
    expect(compared.length).toBeGreaterThan(10);
    for (const [recorded, ours] of compared) expect(unsigned(ours)).toBe(unsigned(recorded));
  });
});
