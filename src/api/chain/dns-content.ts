import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { forEachLeaf } from '../../ton/boc/hashmap.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { loadMsgAddress } from '../../ton/tlb/msg-address.ts';

/** An address as records show it; `address` in hex. */
interface RecordAddress {
  readonly '@type': 'addr_std';
  readonly workchain_id: number;
  readonly address: string;
}

/** A record of a name (TEP-81). */
export type DnsRecord =
  | { readonly '@type': 'dns_smc_address'; readonly smc_addr: RecordAddress }
  | { readonly '@type': 'dns_next_resolver'; readonly resolver: RecordAddress }
  | { readonly '@type': 'dns_adnl_address'; readonly adnl_addr: string }
  | { readonly '@type': 'dns_storage_address'; readonly bag_id: string };

/** What a name stands for: records by their kind, or by the hex of its hash where that is not known. */
export interface DnsContent {
  readonly domain: string;
  readonly data: Readonly<Record<string, DnsRecord>>;
}

const KINDS = new Map(
  ['wallet', 'site', 'storage', 'dns_next_resolver'].map((kind) => [
    toHex(sha256(new TextEncoder().encode(kind))),
    kind,
  ]),
);
/** More records than any name has: what a contract answers is not to be trusted. */
const MOST_EDGES = 2_000;

/** The records of a dictionary, a bag of cells; null for one that is none. Records of other kinds are left out. */
export function readDnsRecords(bytes: Uint8Array): Record<string, DnsRecord> | null {
  try {
    const boc = parseBoc(bytes);
    const records: Record<string, DnsRecord> = {};
    const visit = (key: Uint8Array, leaf: CellSlice) => {
      const name = toHex(key);
      const record = leaf.refsLeft > 0 ? readRecord(new CellSlice(boc, leaf.ref())) : null;
      if (record) records[KINDS.get(name) ?? name] = record;
    };
    forEachLeaf(boc, onlyRoot(boc), 256, visit, { maxEdges: MOST_EDGES });
    return records;
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

// dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) = DNSRecord;
// dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;
// dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) = DNSRecord;
// dns_storage_address#7473 bag_id:bits256 = DNSRecord;
function readRecord(slice: CellSlice): DnsRecord | null {
  switch (slice.bitsLeft < 16 ? -1 : slice.uint(16)) {
    case 0x9fd3: {
      const address = readAddress(slice);
      return address && { '@type': 'dns_smc_address', smc_addr: address };
    }
    case 0xba93: {
      const address = readAddress(slice);
      return address && { '@type': 'dns_next_resolver', resolver: address };
    }
    case 0xad01:
      return { '@type': 'dns_adnl_address', adnl_addr: toHex(slice.bytes(32)) };
    case 0x7473:
      return { '@type': 'dns_storage_address', bag_id: toHex(slice.bytes(32)) };
    default:
      return null;
  }
}

function readAddress(slice: CellSlice): RecordAddress | null {
  const found = loadMsgAddress(slice);
  if (found.kind !== 'std') return null;
  return { '@type': 'addr_std', workchain_id: found.workchain, address: toHex(found.address) };
}
