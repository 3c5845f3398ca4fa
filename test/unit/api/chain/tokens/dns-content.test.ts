import { createHash } from 'node:crypto';
import { Address, beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readDnsRecords } from '../../../../../src/api/chain/tokens/dns-content.ts';

const key = (kind: string) => createHash('sha256').update(kind).digest('hex');
const ADDRESS = new Address(-1, Buffer.alloc(32, 0xab));
const shown = { '@type': 'addr_std', workchain_id: -1, address: 'ab'.repeat(32) };

function records(values: Readonly<Record<string, Cell>>): Buffer {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  for (const [name, cell] of Object.entries(values)) dict.set(BigInt(`0x${name}`), cell);
  return beginCell().storeDictDirect(dict).endCell().toBoc();
}

describe('records of names (TEP-81)', () => {
  it('reads every kind, by its name or by the hex of its key', () => {
    const bits = Buffer.alloc(32, 5);
    const found = readDnsRecords(
      records({
        [key('wallet')]: beginCell().storeUint(0x9fd3, 16).storeAddress(ADDRESS).storeUint(0, 8).endCell(),
        [key('dns_next_resolver')]: beginCell().storeUint(0xba93, 16).storeAddress(ADDRESS).endCell(),
        [key('site')]: beginCell().storeUint(0xad01, 16).storeBuffer(bits).storeUint(0, 8).endCell(),
        [key('storage')]: beginCell().storeUint(0x7473, 16).storeBuffer(bits).endCell(),
        [key('other')]: beginCell().storeUint(0x7473, 16).storeBuffer(bits).endCell(),
        [key('unknown')]: beginCell().storeUint(0x1234, 16).endCell(),
        [key('nobody')]: beginCell().storeUint(0x9fd3, 16).storeAddress(null).endCell(),
      }),
    );
    expect(found).toEqual({
      wallet: { '@type': 'dns_smc_address', smc_addr: shown },
      dns_next_resolver: { '@type': 'dns_next_resolver', resolver: shown },
      site: { '@type': 'dns_adnl_address', adnl_addr: '05'.repeat(32) },
      storage: { '@type': 'dns_storage_address', bag_id: '05'.repeat(32) },
      [key('other')]: { '@type': 'dns_storage_address', bag_id: '05'.repeat(32) },
    });
  });

  it('reports a value that is no dictionary', () => {
    expect(readDnsRecords(beginCell().endCell().toBoc())).toBe(null);
  });
});
