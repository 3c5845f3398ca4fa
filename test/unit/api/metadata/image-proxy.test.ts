import { expect, it } from 'vitest';
import { ImageProxy } from '../../../../src/api/metadata/image-proxy.ts';

const GATEWAY = 'https://ipfs.example.org/ipfs/';
const IMAGE = 'https://example.org/1.png';
const smallAt = (address: string, image = IMAGE) =>
  new ImageProxy(address, GATEWAY).getExtra(image)._image_small;
const sourceOf = (address: string | undefined) =>
  Buffer.from(address?.split('/').at(-1) ?? '', 'base64url').toString();

it('signs with the key and the salt of the address, and shows neither', () => {
  // Values of the proxy's own manual, https://docs.imgproxy.net/usage/signing_url.
  const key = '943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881';
  const salt = '520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5';
  expect(smallAt(`https://${key}:${salt}@img.example.org:8443/proxy/`)).toBe(
    'https://img.example.org:8443/proxy/bf2yE7wDSzEXrCrq9qrjHMv9zZY8LA2tb6qqFotnU3w/pr:small/aHR0cHM6Ly9leGFtcGxlLm9yZy8xLnBuZw',
  );
});

it.each([
  ['https://a1:b2@img.example.org:8443/proxy/', 'https://img.example.org:8443/proxy/'],
  ['https://img.example.org', 'https://img.example.org/'],
])('has addresses that begin with a place without key and salt: %s', (address, base) => {
  const proxy = new ImageProxy(address, GATEWAY);
  expect(proxy.base).toBe(base);
  const addresses = Object.values(proxy.getExtra(IMAGE));
  expect(addresses).toHaveLength(6);
  expect(addresses.every((one) => one.startsWith(base))).toBe(true);
});

it('has images of IPFS fetched from the gateway', () => {
  const proxy = 'http://127.0.0.1:8080';
  expect(sourceOf(smallAt(proxy, 'ipfs://Qm1/1.png'))).toBe(`${GATEWAY}Qm1/1.png`);
  expect(sourceOf(smallAt(proxy, 'ipfs://ipfs/Qm1/1.png'))).toBe(`${GATEWAY}Qm1/1.png`);
});

it.each([
  ['no link', ''],
  ['an image that is its own link', 'data:image/png;base64,AAAA'],
  ['a file', 'file:///etc/passwd'],
  ['a bucket of the proxy', 's3://bucket/1.png'],
  ['a path out of the gateway', 'ipfs://../admin'],
  ['a path out of the gateway by encoded dots', 'ipfs://%2e%2e/admin'],
  ['a path out of the gateway by an encoded slash', 'ipfs://Qm1/..%2F..%2Fadmin'],
  ['a path out of the gateway by an encoded backslash', 'ipfs://Qm1/..%5c..%5cadmin'],
  ['a path out of the gateway by a backslash', 'ipfs://..\\admin'],
  ['a path out of the gateway, encoded twice', 'ipfs://Qm1/..%252f..%252fadmin'],
  ['an address of another host', 'ipfs:////evil.example/a'],
  ['a link that is too long', `https://example.org/${'x'.repeat(2_048)}`],
])('gives no addresses for %s', (_what, image) => {
  expect(new ImageProxy('http://127.0.0.1:8080', GATEWAY).getExtra(image)).toEqual({});
});
