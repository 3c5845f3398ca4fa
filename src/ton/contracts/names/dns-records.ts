import type { Boc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { findLeaf } from '../../boc/find-leaf.ts';
import { toHex } from '../../hash/hex.ts';
import { sha256 } from '../../hash/sha256.ts';
import { type ContractDetails, type ContractState, rawOrNull } from '../contract-state.ts';
import { type DnsRecord, readDnsRecord } from './dns-record.ts';

/** Wallet and details of a name by its records. */
export type NameRecords = Pick<ContractState, 'wallet'> & { readonly details: ContractDetails };

const toKey = (kind: string) => ({ bytes: sha256(new TextEncoder().encode(kind)), bits: 256 });
const WALLET = toKey('wallet');
const SITE = toKey('site');
const STORAGE = toKey('storage');
const NEXT_RESOLVER = toKey('dns_next_resolver');

/**
 * The four records of a name that v3 shows, out of its dictionary (`root` -1: empty); one of another kind than its key
 * asks for counts as none. Only the paths to them are read, whatever else the dictionary holds.
 *
 *     _ (HashmapE 256 ^DNSRecord) = DNS_RecordSet;
 */
export function readNameRecords(boc: Boc, root: number): NameRecords {
  const find = (key: typeof WALLET) => (root < 0 ? null : recordAt(boc, root, key));
  const [wallet, site] = [find(WALLET), find(SITE)];
  const [resolver, storage] = [find(NEXT_RESOLVER), find(STORAGE)];
  return {
    wallet: wallet?.kind === 'smc' ? wallet.address : null,
    details: {
      dns_next_resolver: resolver?.kind === 'resolver' ? rawOrNull(resolver.address) : null,
      dns_wallet: wallet?.kind === 'smc' ? rawOrNull(wallet.address) : null,
      dns_site_adnl: site?.kind === 'adnl' ? toHex(site.id) : null,
      dns_storage_bag_id: storage?.kind === 'storage' ? toHex(storage.id) : null,
    },
  };
}

function recordAt(boc: Boc, root: number, key: typeof WALLET): DnsRecord | null {
  try {
    const leaf = findLeaf(new CellSlice(boc, root), key);
    return leaf && leaf.refsLeft > 0 ? readDnsRecord(new CellSlice(boc, leaf.ref())) : null;
  } catch (error) {
    // A record that cannot be read, such as a library cell: the other records remain valid.
    if (error instanceof CellError) return null;
    throw error;
  }
}
