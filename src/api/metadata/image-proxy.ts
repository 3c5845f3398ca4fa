import { createHmac } from 'node:crypto';
import { gatewayAddress, isIpfsLink } from './ipfs-link.ts';

/** Sizes of an image, each the name of a preset of the proxy. */
export const IMAGE_SIZES = ['small', 'medium', 'big'] as const;

/** Sigma of the blur of a peer's addresses: nothing can be made out. */
const BLUR = 'bl:256';
/** The signature part of an address for a proxy that checks none. */
const UNSIGNED = 'unsafe';
/** Characters of a link; each is in six addresses. */
const MAX_LINK_LENGTH = 2_048;

/**
 * Addresses of the images of tokens at an imgproxy: `BASE/SIGNATURE/pr:PRESET[/bl:256]/LINK`, the link in base64url, signed by HMAC-SHA256
 * (docs/decisions/0083).
 */
export class ImageProxy {
  readonly #base: string;
  readonly #key: Buffer;
  readonly #salt: Buffer;
  readonly #ipfsGateway: string;

  /** `address`: `http(s)://[KEY:SALT@]host[:port][/path]`, key and salt in hex. */
  constructor(address: string, ipfsGateway: string) {
    const { origin, pathname, username, password } = new URL(address);
    this.#base = `${origin}${pathname.replace(/\/+$/, '')}`;
    this.#key = Buffer.from(username, 'hex');
    this.#salt = Buffer.from(password, 'hex');
    this.#ipfsGateway = ipfsGateway;
  }

  /** Beginning of all its addresses: with a slash at the end, without key and salt. */
  get base(): string {
    return `${this.#base}/`;
  }

  /** Values of `extra` for an image, `_image_small` and so on; none if a proxy cannot fetch the link. */
  getExtra(image: string): Readonly<Record<string, string>> {
    const link = this.#toLink(image);
    if (link === null) return {};
    const source = Buffer.from(link).toString('base64url');
    return Object.fromEntries(
      IMAGE_SIZES.flatMap((size) => [
        [imageKey(size), this.#signed(`/pr:${size}/${source}`)],
        [`${imageKey(size)}_blur`, this.#signed(`/pr:${size}/${BLUR}/${source}`)],
      ]),
    );
  }

  #toLink(image: string): string | null {
    if (image.length > MAX_LINK_LENGTH) return null;
    if (isIpfsLink(image)) return gatewayAddress(image, this.#ipfsGateway);
    return /^https?:\/\//i.test(image) ? image : null;
  }

  #signed(path: string): string {
    const isSigned = this.#key.length > 0;
    const signature = isSigned
      ? createHmac('sha256', this.#key).update(this.#salt).update(path).digest('base64url')
      : UNSIGNED;
    return `${this.#base}/${signature}${path}`;
  }
}

/** The key of `extra` that has an image in a size. */
export function imageKey(size: (typeof IMAGE_SIZES)[number]): string {
  return `_image_${size}`;
}

/** Names that only the image proxy may give: `_image_small`, `_image_small_blur` and every other one with this beginning. */
const OF_PROXY = /^\s*_image/i;

/** Returns the attributes of a token's own content without those that only the image proxy may give. */
export function withoutProxyImages(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !OF_PROXY.test(name)));
}

/** `extra` of a token that is not fit for everybody: blurred images in place of the plain ones, or none. */
export function withoutPlainImages(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = { ...extra };
  for (const key of IMAGE_SIZES.map(imageKey)) {
    const blurred = shown[`${key}_blur`];
    delete shown[`${key}_blur`];
    if (key in shown) shown[key] = typeof blurred === 'string' ? blurred : '';
  }
  return shown;
}
