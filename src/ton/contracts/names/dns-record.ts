import { onlyRoot, parseBoc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { walkLeaves } from '../../boc/hashmap.ts';
import { serializeCell } from '../../boc/serialize.ts';
import type { AccountAddress } from '../../store/store-address.ts';
import { standardOrNone } from '../read-fields.ts';

/** A record of a name (TEP-81). Ids are 32 bytes. `boc`: the unchanged record. */
export type DnsRecord =
  | { readonly kind: 'smc' | 'resolver'; readonly address: AccountAddress }
  | { readonly kind: 'adnl' | 'storage'; readonly id: Uint8Array }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown'; readonly boc: Uint8Array };

/** More records than any real name has: a contract's answer is not trusted. */
const MAX_EDGES = 2_000;

/**
 * Visits the records of a dictionary, a bag of cells, with the hash of their category.
 * @throws CellError, BocError if it is not such a dictionary
 */
export function forEachDnsRecord(
  bytes: Uint8Array,
  visit: (category: Uint8Array, record: DnsRecord) => void,
): void {
  const boc = parseBoc(bytes);
  const visitLeaf = (key: Uint8Array, leaf: CellSlice) => {
    if (leaf.refsLeft > 0) visit(key.slice(), readDnsRecord(new CellSlice(boc, leaf.ref())));
  };
  walkLeaves(boc, onlyRoot(boc), { keyBits: 256, maxEdges: MAX_EDGES }, visitLeaf);
}

/** Reads a record. Another kind, or fields that do not match the tag, give an unknown record. */
export function readDnsRecord(slice: CellSlice): DnsRecord {
  const { boc, cell } = slice;
  try {
    const known = loadDnsRecord(slice);
    if (known) return known;
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
  }
  return { kind: 'unknown', boc: serializeCell(boc, cell) };
}

// dns_text#1eda _:Text = DNSRecord;
// dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;
// dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) = DNSRecord;
// dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) = DNSRecord;
// dns_storage_address#7473 bag_id:bits256 = DNSRecord;
function loadDnsRecord(slice: CellSlice): DnsRecord | null {
  switch (slice.bitsLeft < 16 ? -1 : slice.uint(16)) {
    case 0x1eda:
      return loadText(slice);
    case 0xba93:
      return loadAddress('resolver', slice);
    case 0x9fd3:
      return loadAddress('smc', slice);
    case 0xad01:
      return { kind: 'adnl', id: slice.bytes(32) };
    case 0x7473:
      return { kind: 'storage', id: slice.bytes(32) };
    default:
      return null;
  }
}

function loadAddress(kind: 'smc' | 'resolver', slice: CellSlice): DnsRecord | null {
  const address = standardOrNone(slice);
  return address && { kind, address };
}

// text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
// text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
// text_chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1);
function loadText(slice: CellSlice): DnsRecord | null {
  const parts: Uint8Array[] = [];
  let at = slice;
  for (let left = slice.uint(8); left > 0; left--) {
    parts.push(at.bytes(at.uint(8)));
    if (left > 1) at = new CellSlice(at.boc, at.ref());
  }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)) };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
