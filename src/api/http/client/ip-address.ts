import { BlockList, isIP, isIPv6 } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';

/** Bits of the IPv6 network that one client may choose addresses from. */
const CLIENT_BITS = 64;
const SINGLE_ADDRESS_BITS = 128;

/** An IPv4 address with a port. An IPv6 address needs brackets before a port. */
const IPV4_WITH_PORT = /^([\d.]+):\d{0,5}$/;
const IN_BRACKETS = /^\[([^[\]]+)\](?::\d{0,5})?$/;

/**
 * Returns the canonical text of an address as proxies write it: with or without port, brackets, quotes and zone. An IPv4-mapped IPv6
 * address becomes its IPv4 address. `null` if the text is not an address.
 */
export function parseIpAddress(text: string): string | null {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const host = IPV4_WITH_PORT.exec(bare)?.[1] ?? IN_BRACKETS.exec(bare)?.[1] ?? bare;
  const address = host.includes(':') ? host.replace(/%.*$/s, '') : host;
  return isIP(address) === 0 ? null : normalizeIP(address, SINGLE_ADDRESS_BITS);
}

/** Returns the name by which a client is counted: its IPv4 address, or the /64 network of its IPv6 address. */
export function toClientName(address: string): string {
  return normalizeIP(parseIpAddress(address) ?? address, CLIENT_BITS);
}

/** IP addresses and subnets of proxies. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** @param subnets addresses, or subnets as address/bits */
  constructor(subnets: readonly string[]) {
    for (const subnet of subnets) {
      const [address = '', bits] = subnet.split('/');
      const mapped = bits === undefined ? parseIpAddress(address) : null;
      if (bits === undefined) this.#list.addAddress(mapped ?? address, getFamily(mapped ?? address));
      else this.#list.addSubnet(address, Number(bits), getFamily(address));
    }
  }

  /** True if the address is one of these. `address` is canonical: see `parseIpAddress`. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, getFamily(address));
  }
}

const getFamily = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
