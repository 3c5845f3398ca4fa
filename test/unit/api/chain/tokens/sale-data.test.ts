/** Sales and auctions of versions whose code is in no public set, by the answers of their get methods (v3-rules.md 6). */
import { Address, beginCell, ExternalAddress } from '@ton/core';
import { expect, it } from 'vitest';
import { readSaleData, type SaleData } from '../../../../../src/api/chain/tokens/sale-data.ts';
import type { StackValue } from '../../../../../src/tvm/stack/stack-value.ts';

const int = (value: number | bigint): StackValue => ({ kind: 'int', value: BigInt(value) });
const slice = (address: Address | ExternalAddress | null): StackValue => ({
  kind: 'slice',
  boc: beginCell().storeAddress(address).endCell().toBoc(),
});
const account = (byte: number) => new Address(0, Buffer.alloc(32, byte));
const raw = (byte: number) => account(byte).toRawString().toUpperCase();
const [MARKET, NFT, OWNER, BIDDER, FEES, ROYALTY] = [1, 2, 3, 4, 5, 6].map((byte) =>
  slice(account(byte)),
) as [StackValue, StackValue, StackValue, StackValue, StackValue, StackValue];
const NONE = slice(null);
const NULL: StackValue = { kind: 'null' };

const read = (kind: SaleData['kind'], answers: Readonly<Record<string, readonly StackValue[]>>) =>
  readSaleData(async (method) => answers[method] ?? null, kind);

const SALE_V4 = [0, 100, MARKET, NFT, OWNER, 1_000, FEES, 50, ROYALTY, 60, 0, 0, NULL];
const AUCTION_V4 = [
  ...[1, 0, 900, MARKET, NFT, OWNER, 55, BIDDER, 5, FEES, 2, 100, ROYALTY, 3, 1_000, 2_000, 58, 100, 110],
  ...[0, 60, 0, NONE, NONE, 0, 7],
];
const stackOf = (values: readonly (number | StackValue)[]) =>
  values.map((value) => (typeof value === 'number' ? int(value) : value));
const changed = (values: readonly (number | StackValue)[], at: number, value: number | StackValue) =>
  stackOf(values.with(at, value));

it('a sale of version 4', async () => {
  expect(await read('nft_sale', { get_fix_price_data_v4: stackOf(SALE_V4) })).toEqual({
    kind: 'nft_sale',
    owner: { workchain: 0, address: new Uint8Array(32).fill(3) },
    parent: { workchain: 0, address: new Uint8Array(32).fill(2) },
    details: {
      is_complete: false,
      created_at: 100,
      marketplace_address: raw(1),
      full_price: '1000',
      marketplace_fee_address: raw(5),
      marketplace_fee: '50',
      royalty_address: raw(6),
      royalty_amount: '60',
    },
  });
  // No owner any more, or not an account.
  for (const nobody of [NONE, slice(new ExternalAddress(5n, 7))]) {
    const sold = await read('nft_sale', { get_fix_price_data_v4: changed(SALE_V4, 4, nobody) });
    expect(sold.owner).toBeNull();
  }
});

it('an auction of version 4, before the older method', async () => {
  const answers = { get_auction_data_v4: stackOf(AUCTION_V4), get_sale_data: [int(0x415543)] };
  expect(await read('nft_auction', answers)).toMatchObject({
    kind: 'nft_auction',
    owner: { address: new Uint8Array(32).fill(3) },
    parent: { address: new Uint8Array(32).fill(2) },
    details: {
      end_flag: false,
      end_time: 900,
      last_bid: '55',
      last_member: raw(4),
      min_step: '5',
      mp_fee_address: raw(5),
      mp_fee_factor: 2,
      mp_fee_base: 100,
      royalty_fee_address: raw(6),
      royalty_fee_factor: 3,
      royalty_fee_base: 1_000,
      max_bid: '2000',
      min_bid: '58',
      created_at: 100,
      last_bid_at: 110,
      is_canceled: false,
    },
  });
});

it.each([
  ['nft_sale', { get_fix_price_data_v4: stackOf([...SALE_V4, 7]) }],
  ['nft_sale', { get_sale_data: stackOf([0x46495850, ...SALE_V4.slice(0, 10), 7, NULL]) }],
  ['nft_auction', { get_auction_data_v4: stackOf([...AUCTION_V4, NULL]) }],
  ['nft_auction', { get_sale_data: stackOf([0x415543, ...AUCTION_V4.slice(1, 20), 7]) }],
] as const)('ignores values after those of the standard: %s %#', async (kind, answers) => {
  expect(await read(kind, answers)).toMatchObject({ kind, parent: { address: new Uint8Array(32).fill(2) } });
});

it('reads the older method if the values of version 4 are of other types', async () => {
  const older = { get_sale_data: stackOf([0x46495850, ...SALE_V4.slice(0, 10)]) };
  const sale = { ...older, get_fix_price_data_v4: changed(SALE_V4, 12, 7) };
  expect((await read('nft_sale', sale)).details.full_price).toBe('1000');
  const bids = { get_sale_data: stackOf([0x415543, ...AUCTION_V4.slice(1, 20)]) };
  const auction = { ...bids, get_auction_data_v4: changed(AUCTION_V4, 25, NULL) };
  expect((await read('nft_auction', auction)).details.last_bid).toBe('55');
  await expect(read('nft_auction', { get_auction_data_v4: changed(AUCTION_V4, 22, 3) })).rejects.toThrow(
    'expected an address, found int',
  );
});

it('a contract with another answer is none, with the reason', async () => {
  const refused = (kind: SaleData['kind'], answers: Parameters<typeof read>[1], reason: RegExp) =>
    expect(read(kind, answers), String(reason)).rejects.toThrow(reason);
  const sale = (stack: readonly StackValue[]) => ({ get_fix_price_data_v4: stack });
  await refused('nft_sale', {}, /11 values of get_sale_data, found a failure/);
  await refused('nft_sale', { get_sale_data: stackOf([1, 2, 3]) }, /11 values of get_sale_data, found 3/);
  await refused('nft_sale', { get_sale_data: stackOf(Array(11).fill(0)) }, /expected a fixed price/);
  await refused('nft_sale', sale(changed(SALE_V4, 3, NONE)), /expected an address, found none/);
  await refused('nft_sale', sale(changed(SALE_V4, 2, NULL)), /expected an address, found none/);
  await refused('nft_sale', sale(changed(SALE_V4, 5, NULL)), /expected a number, found null/);
  await refused('nft_sale', sale(changed(SALE_V4, 1, -1)), /a number of 53 bits/);
  await refused('nft_auction', { get_sale_data: stackOf(Array(20).fill(0)) }, /expected an auction/);
  const name = { get_telemint_token_name: [int(1)] };
  await refused('teleitem', name, /6 values of get_telemint_auction_config, found a failure/);
});

it('an item of Telegram whose auction cannot be read is in none', async () => {
  const answers = {
    get_telemint_token_name: [
      { kind: 'slice', boc: beginCell().storeStringTail('+888 1').endCell().toBoc() },
    ] as const,
    get_telemint_auction_config: stackOf([NULL, 0, 0, 0, 0, 0]),
    royalty_params: stackOf([5, 100, ROYALTY]),
  };
  expect(await read('teleitem', answers)).toEqual({
    kind: 'teleitem',
    owner: null,
    parent: null,
    details: {
      token_name: '+888 1',
      bidder_address: null,
      bid: '0',
      bid_ts: '0',
      min_bid: '0',
      end_time: 0,
      beneficiary_address: null,
      initial_min_bid: '0',
      max_bid: '0',
      min_bid_step: '0',
      min_extend_time: '0',
      duration: '0',
      royalty_numerator: 5,
      royalty_denominator: 100,
      royalty_destination: raw(6),
    },
  });
  const cut = [{ kind: 'slice', boc: beginCell().storeUint(0xff, 8).endCell().toBoc() }] as const;
  const { details } = await read('teleitem', { ...answers, get_telemint_token_name: cut });
  expect(details.token_name).toBeNull();
});
