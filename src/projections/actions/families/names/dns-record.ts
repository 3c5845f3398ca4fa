import type { Body } from '../../body/body.ts';

/** Schema of a DNS record (TEP-81). */
export type DnsSchema =
  | 'DNSNextResolver'
  | 'DNSAdnlAddress'
  | 'DNSSmcAddress'
  | 'DNSStorageAddress'
  | 'DNSText'
  | 'Unknown';

/** Target of a DNS record. */
export interface DnsRecord {
  readonly schema: DnsSchema;
  /** Raw address, hex of 256 bits, or the text; null for an unknown schema. */
  readonly value: string | null;
  /** Flags of ADNL and contract addresses; others: null. */
  readonly flags: number | null;
}

/** u8 chunk count, then per chunk u8 length and bytes, the next chunk in the reference. */
function readText(body: Body): string {
  const pieces: Uint8Array[] = [];
  const chunks = body.uint(8);
  for (let left = chunks, cell = body; left > 0; left--) {
    pieces.push(cell.bytes(cell.uint(8)));
    if (left > 1) cell = cell.ref();
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/**
 * DNSRecord (TEP-81):
 *
 *     dns_text#1eda _:Text; dns_next_resolver#ba93 resolver:MsgAddressInt; dns_adnl_address#ad01 adnl_addr:bits256 flags:uint8;
 *     dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:uint8; dns_storage_address#7473 bag_id:bits256
 *
 * @throws CellError
 */
export function readDnsRecord(body: Body): DnsRecord {
  const tag = body.bitsLeft < 16 ? 0 : body.uint(16);
  switch (tag) {
    case 0xba93:
      return { schema: 'DNSNextResolver', value: body.address(), flags: null };
    case 0xad01:
      return { schema: 'DNSAdnlAddress', value: body.hex(256), flags: body.uint(8) };
    case 0x9fd3:
      return { schema: 'DNSSmcAddress', value: body.address(), flags: body.uint(8) };
    case 0x7473:
      return { schema: 'DNSStorageAddress', value: body.hex(256), flags: null };
    case 0x1eda:
      return { schema: 'DNSText', value: readText(body), flags: null };
    default:
      return { schema: 'Unknown', value: null, flags: null };
  }
}
