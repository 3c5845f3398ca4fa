import { CellError } from '../../../ton/boc/cell-error.ts';
import { type DnsRecord, forEachDnsRecord } from '../../../ton/contracts/names/dns-record.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';

/** An address as records show it; `address` in hex. */
interface RecordAddress {
  readonly '@type': 'addr_std';
  readonly workchain_id: number;
  readonly address: string;
}

/** A record of a name as `getTokenData` shows it. */
export type ShownDnsRecord =
  | { readonly '@type': 'dns_smc_address'; readonly smc_addr: RecordAddress }
  | { readonly '@type': 'dns_next_resolver'; readonly resolver: RecordAddress }
  | { readonly '@type': 'dns_adnl_address'; readonly adnl_addr: string }
  | { readonly '@type': 'dns_storage_address'; readonly bag_id: string };

/** Records of a name, by kind, or by the hex of the key's hash for unknown kinds. */
export interface DnsContent {
  readonly domain: string;
  readonly data: Readonly<Record<string, ShownDnsRecord>>;
}

const KINDS = new Map(
  ['wallet', 'site', 'storage', 'dns_next_resolver'].map((kind) => [
    toHex(sha256(new TextEncoder().encode(kind))),
    kind,
  ]),
);
/** The records of a dictionary, a bag of cells; null for one that is none. Records of other kinds are left out. */
export function readDnsRecords(bytes: Uint8Array): Record<string, ShownDnsRecord> | null {
  try {
    const records: Record<string, ShownDnsRecord> = {};
    forEachDnsRecord(bytes, (category, found) => {
      const name = toHex(category);
      const record = shownRecord(found);
      if (record) records[KINDS.get(name) ?? name] = record;
    });
    return records;
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

function shownRecord(record: DnsRecord): ShownDnsRecord | null {
  switch (record.kind) {
    case 'smc':
      return { '@type': 'dns_smc_address', smc_addr: shownAddress(record.address) };
    case 'resolver':
      return { '@type': 'dns_next_resolver', resolver: shownAddress(record.address) };
    case 'adnl':
      return { '@type': 'dns_adnl_address', adnl_addr: toHex(record.id) };
    case 'storage':
      return { '@type': 'dns_storage_address', bag_id: toHex(record.id) };
    default:
      return null;
  }
}

function shownAddress({ workchain, address }: AccountAddress): RecordAddress {
  return { '@type': 'addr_std', workchain_id: workchain, address: toHex(address) };
}
