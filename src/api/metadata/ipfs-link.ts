import { hasEncodedPath } from '../../platform/fetch/encoded-path.ts';

const IPFS = /^ipfs:\/\/(?:ipfs\/)?(.+)$/i;

export function isIpfsLink(link: string): boolean {
  return IPFS.test(link);
}

/**
 * Returns the address of an IPFS link at a gateway, whose address ends with a slash. `null` if its path could leave the gateway's: by dots,
 * slashes or backslashes, also encoded ones.
 */
export function gatewayAddress(link: string, gateway: string): string | null {
  const path = IPFS.exec(link)?.[1] ?? '';
  if (hasEncodedPath(path)) return null;
  const url = URL.parse(path, gateway);
  return url?.href.startsWith(gateway) ? url.href : null;
}
