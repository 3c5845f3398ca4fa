import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { ShardIdent } from '../../ton/tlb/shard-ident.ts';

/** Number of bits of the destination's workchain and prefix (96) that count at the current and the next hop. */
export interface Route {
  readonly curBits: number;
  readonly nextBits: number;
}

const ALL: Route = { curBits: 96, nextBits: 96 };
const PREFIX_BITS = 64;
const WORKCHAIN_BITS = 32;
const MASTERCHAIN = -1;

/** The first 64 bits of an address. */
export function addressPrefix({ address }: AccountAddress): bigint {
  return new DataView(address.buffer, address.byteOffset).getBigUint64(0);
}

/** Whether an account belongs to a shard. */
export function contains({ workchain, shard, prefixBits }: ShardIdent, account: AccountAddress): boolean {
  if (account.workchain !== workchain) return false;
  const shift = BigInt(PREFIX_BITS - prefixBits);
  return prefixBits === 0 || addressPrefix(account) >> shift === shard >> shift;
}

/**
 * Hypercube routing (whitepaper 2.4.20; `perform_hypercube_routing` of the reference node). A message between the
 * masterchain and another workchain goes directly. Within a workchain the next hop differs from the current one in four
 * bits of the prefix at a time, until it leaves the shard. With 16 shards or fewer the first hop is the destination.
 */
export function routeFrom(shard: ShardIdent, source: AccountAddress, dest: AccountAddress): Route {
  if (contains(shard, dest)) return ALL;
  if (shard.workchain === MASTERCHAIN || dest.workchain === MASTERCHAIN) return { curBits: 0, nextBits: 96 };
  if (dest.workchain !== shard.workchain) return { curBits: 0, nextBits: 32 };
  const from = addressPrefix(source);
  const difference = addressPrefix(dest) ^ from;
  let bits = firstNibble(difference);
  for (;;) {
    const hop = from ^ (difference & (0xfn << BigInt(PREFIX_BITS - 4 - bits)));
    bits += 4;
    if (!contains(shard, { workchain: shard.workchain, address: prefixBytes(hop) })) break;
  }
  return { curBits: WORKCHAIN_BITS - 4 + bits, nextBits: WORKCHAIN_BITS + bits };
}

/** The prefix at a hop: the destination's first bits, then the source's. The workchain is the first 32 bits. */
export function nextHopPrefix(source: AccountAddress, dest: AccountAddress, destBits: number): bigint {
  const own = BigInt(PREFIX_BITS - Math.max(0, destBits - WORKCHAIN_BITS));
  const low = (1n << own) - 1n;
  return (addressPrefix(dest) & ~low) | (addressPrefix(source) & low);
}

/** Number of leading zero bits of 64, rounded down to a multiple of four. */
function firstNibble(bits: bigint): number {
  return (PREFIX_BITS - bits.toString(2).length) & ~3;
}

function prefixBytes(prefix: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, prefix);
  return bytes;
}
