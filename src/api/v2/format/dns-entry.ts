import type { DnsRecord } from '../../../ton/contracts/names/dns-record.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { crc16 } from '../../../ton/hash/crc16.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { NameEntry } from '../../chain/resolve-name.ts';
import { accountAddress, friendlyText } from './account-address.ts';

/** A dns.entry of v2-endpoints.md section 7. */
export function dnsEntry({ name, category, record }: NameEntry): object {
  return { '@type': 'dns.entry', name, category: toBase64(category), entry: entryData(record) };
}

function entryData(record: DnsRecord): object {
  switch (record.kind) {
    case 'smc':
      return { '@type': 'dns.entryDataSmcAddress', smc_address: shown(record.address) };
    case 'resolver':
      return { '@type': 'dns.entryDataNextResolver', resolver: shown(record.address) };
    case 'adnl': {
      const adnl_address = { '@type': 'adnlAddress', adnl_address: adnlText(record.id) };
      return { '@type': 'dns.entryDataAdnlAddress', adnl_address };
    }
    case 'storage':
      return { '@type': 'dns.entryDataStorageAddress', bag_id: toHex(record.id) };
    case 'text':
      return { '@type': 'dns.entryDataText', text: record.text };
    case 'unknown':
      return { '@type': 'dns.entryDataUnknown', bytes: toBase64(record.boc) };
  }
}

function shown({ workchain, address }: AccountAddress): object {
  return accountAddress(friendlyText(workchain, address));
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** An ADNL id as names are written: base32 of 0x2d, the id and its CRC16, without the first letter, which is always f. */
function adnlText(id: Uint8Array): string {
  const bytes = Buffer.alloc(35);
  bytes[0] = 0x2d;
  bytes.set(id, 1);
  bytes.writeUInt16BE(crc16(bytes, 33), 33);
  let text = '';
  for (let value = BigInt(`0x${toHex(bytes)}`), left = 56; left > 0; left--, value >>= 5n)
    text = `${BASE32[Number(value & 31n)]}${text}`;
  return text.slice(1);
}
