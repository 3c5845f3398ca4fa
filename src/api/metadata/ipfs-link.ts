const IPFS = /^ipfs:\/\/(?:ipfs\/)?(.+)$/i;

export function isIpfsLink(link: string): boolean {
  return IPFS.test(link);
}

/** The address of a link of IPFS at a gateway, which ends with a slash; null where its path leaves the gateway. */
export function gatewayAddress(link: string, gateway: string): string | null {
  const path = IPFS.exec(link)?.[1] ?? '';
  const url = URL.parse(path, gateway);
  return url?.href.startsWith(gateway) ? url.href : null;
}
