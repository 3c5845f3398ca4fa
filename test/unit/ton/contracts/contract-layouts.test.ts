import { readdirSync, readFileSync } from 'node:fs';
import { Address, type Builder, beginCell, Cell, Dictionary } from '@ton/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../../../../src/api/chain/tokens/ask-contract.ts';
import { readNameData, readTelegramName } from '../../../../src/api/chain/tokens/name-data.ts';
import { readSaleData, type SaleData } from '../../../../src/api/chain/tokens/sale-data.ts';
import { DNS_ITEM_CODE } from '../../../../src/localnet/contracts/codes/dns-item-code.ts';
import { isContractLayout, readContract } from '../../../../src/ton/contracts/contract-layouts.ts';
import type { ContractState } from '../../../../src/ton/contracts/contract-state.ts';
import { sha256 } from '../../../../src/ton/hash/sha256.ts';
import type { StackValue } from '../../../../src/tvm/stack/stack-value.ts';
import {
  addressIn,
  askContract,
  type Contract,
  cellIn,
  intIn,
  librariesOf,
  runContract,
} from '../../../helpers/ask-contract.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

/*
 * Sales, auctions, usernames and names against the get methods of their own code, run in the TVM on the same data.
 */

const account = (byte: number) => new Address(0, Buffer.alloc(32, byte));
const [MARKET, NFT, OWNER, BIDDER, FEES, ROYALTY, COLLECTION] = [1, 2, 3, 4, 5, 6, 7].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const NO_LIBRARIES = librariesOf([beginCell().endCell()]);

const raw = (address: Address | null) =>
  address && `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`;
const rawIn = (value: StackValue | undefined) => raw(addressIn(value));
const text = (value: StackValue | undefined) => String(intIn(value));
const number = (value: StackValue | undefined) => Number(intIn(value));
const isTrue = (value: StackValue | undefined) => intIn(value) !== 0n;
const rawOf = (address: ContractState['owner']) =>
  address && `${address.workchain}:${Buffer.from(address.address).toString('hex').toUpperCase()}`;

function read(contract: Contract): ContractState | null {
  return readContract({
    account: { workchain: contract.address.workChain, address: contract.address.hash },
    code: { hash: contract.code.hash(), depth: contract.code.depth() },
    data: contract.data.toBoc(),
  });
}

/** The contract at any address: sales and auctions do not follow from their first data. */
const contractOf = (code: Cell, data: Cell, address = account(9)): Contract => ({
  code,
  data,
  address,
  libraries: NO_LIBRARIES,
});

const addresses =
  (...all: readonly (Address | null)[]) =>
  (builder: Builder) => {
    for (const one of all) builder.storeAddress(one);
  };
const build = (...parts: readonly ((builder: Builder) => void)[]) => {
  const builder = beginCell();
  for (const part of parts) part(builder);
  return builder.endCell();
};
const saleFees = build(addresses(FEES), (b) => b.storeCoins(50n).storeAddress(ROYALTY).storeCoins(60n));

/** As versions 2 and 3 have it, with what the later ones go on with. */
function saleData(isComplete: boolean, owner: Address | null): Cell {
  return build(
    (b) => b.storeBit(isComplete).storeUint(1_700_000_000, 32),
    addresses(MARKET, NFT, owner),
    (b) => b.storeCoins(1_000n).storeRef(saleFees).storeUint(0, 32).storeUint(0, 64),
  );
}

/** Detection would give the same result for the contract under an unknown code. */
async function compareTold(contract: Contract, found: ContractState): Promise<void> {
  const told = await readSaleData(
    async (method) => {
      const { exitCode, stack } = runContract(contract, method);
      return exitCode === 0 ? stack : null;
    },
    found.kind as SaleData['kind'],
  );
  expect([told.kind, rawOf(told.owner), rawOf(told.parent)]).toEqual([
    found.kind,
    rawOf(found.owner),
    rawOf(found.parent),
  ]);
  const records = new Set(Object.keys(RECORDS));
  expect(told.details).toEqual(
    Object.fromEntries(Object.entries(found.details).filter(([name]) => !records.has(name))),
  );
}

/** v3-rules.md 6: 11 values of `get_sale_data`. */
async function compareSale(sale: Contract): Promise<void> {
  const stack = askContract(sale, 'get_sale_data');
  expect([stack.length, intIn(stack[0])]).toEqual([11, 0x46495850n]);
  const found = read(sale)!;
  expect([found.kind, rawOf(found.parent), rawOf(found.owner)]).toEqual([
    'nft_sale',
    rawIn(stack[4]),
    rawIn(stack[5]),
  ]);
  expect(found.details).toEqual({
    is_complete: isTrue(stack[1]),
    created_at: number(stack[2]),
    marketplace_address: rawIn(stack[3]),
    full_price: text(stack[6]),
    marketplace_fee_address: rawIn(stack[7]),
    marketplace_fee: text(stack[8]),
    royalty_address: rawIn(stack[9]),
    royalty_amount: text(stack[10]),
  });
  await compareTold(sale, found);
}

const auctionFees = build(addresses(FEES), (b) =>
  b.storeUint(5, 32).storeUint(100, 32).storeAddress(ROYALTY).storeUint(7, 32).storeUint(1_000, 32),
);

function auctionV1(owner: Address | null, bidder: Address | null): Cell {
  const bids = build(
    (b) => b.storeCoins(10).storeCoins(1_000).storeCoins(3).storeAddress(bidder),
    (b) => b.storeCoins(55).storeUint(1_700_000_100, 32).storeUint(1_700_000_900, 32),
    (b) => b.storeUint(60, 32).storeUint(30, 32),
  );
  return build(
    (b) => b.storeBit(false).storeAddress(MARKET).storeBit(true).storeUint(1_700_000_000, 32).storeBit(true),
    (b) =>
      b
        .storeRef(auctionFees)
        .storeRef(bids)
        .storeRef(build(addresses(owner, NFT))),
  );
}

function auctionV2(owner: Address | null, bidder: Address | null): Cell {
  const constants = build(
    (b) => b.storeUint(8_449_000, 32).storeAddress(MARKET).storeCoins(10).storeCoins(1_000).storeCoins(3),
    (b) => b.storeUint(60, 32).storeAddress(NFT).storeUint(1_700_000_000, 32),
  );
  return build(
    (b) => b.storeBit(false).storeBit(true).storeBit(true).storeAddress(bidder).storeCoins(55),
    (b) => b.storeUint(1_700_000_100, 32).storeUint(1_700_000_900, 32).storeAddress(owner),
    (b) => b.storeRef(auctionFees).storeRef(constants),
  );
}

/** v3-rules.md 6: 20 values of `get_sale_data`. */
async function compareAuction(auction: Contract): Promise<void> {
  const stack = askContract(auction, 'get_sale_data');
  expect([stack.length, intIn(stack[0])]).toEqual([20, 0x415543n]);
  const found = read(auction)!;
  expect([found.kind, rawOf(found.parent), rawOf(found.owner)]).toEqual([
    'nft_auction',
    rawIn(stack[4]),
    rawIn(stack[5]),
  ]);
  expect(found.details).toEqual({
    end_flag: isTrue(stack[1]),
    end_time: number(stack[2]),
    marketplace_address: rawIn(stack[3]),
    last_bid: text(stack[6]),
    last_member: rawIn(stack[7]),
    min_step: text(stack[8]),
    mp_fee_address: rawIn(stack[9]),
    mp_fee_factor: number(stack[10]),
    mp_fee_base: number(stack[11]),
    royalty_fee_address: rawIn(stack[12]),
    royalty_fee_factor: number(stack[13]),
    royalty_fee_base: number(stack[14]),
    max_bid: text(stack[15]),
    min_bid: text(stack[16]),
    created_at: number(stack[17]),
    last_bid_at: number(stack[18]),
    is_canceled: isTrue(stack[19]),
  });
  await compareTold(auction, found);
}

const key = (kind: string) => Buffer.from(sha256(Buffer.from(kind)));
const record = (tag: number, store: (builder: Builder) => Builder) =>
  store(beginCell().storeUint(tag, 16)).endCell();

/** Every record that v3 shows, and one that it does not. */
function records(): Dictionary<Buffer, Cell> {
  const all = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  all.set(
    key('wallet'),
    record(0x9fd3, (b) => b.storeAddress(OWNER).storeUint(0, 8)),
  );
  all.set(
    key('site'),
    record(0xad01, (b) => b.storeBuffer(Buffer.alloc(32, 0xab)).storeUint(0, 8)),
  );
  all.set(
    key('storage'),
    record(0x7473, (b) => b.storeBuffer(Buffer.alloc(32, 0xcd))),
  );
  all.set(
    key('dns_next_resolver'),
    record(0xba93, (b) => b.storeAddress(BIDDER)),
  );
  all.set(
    key('other'),
    record(0x1eda, (b) => b.storeUint(0, 8)),
  );
  return all;
}
const RECORDS = {
  dns_wallet: raw(OWNER),
  dns_next_resolver: raw(BIDDER),
  dns_site_adnl: 'ab'.repeat(32),
  dns_storage_bag_id: 'cd'.repeat(32),
};
const offchain = (uri: string) => beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
const onchain = (all: Dictionary<Buffer, Cell>) => beginCell().storeUint(0, 8).storeDict(all).endCell();
/** The query for the contract itself: one zero byte, every category. */
const ITSELF: readonly StackValue[] = [
  { kind: 'slice', boc: beginCell().storeUint(0, 8).endCell().toBoc() },
  { kind: 'int', value: 0n },
];

/** `dnsresolve` answers the dictionary that the reader looked into. */
function compareRecords(contract: Contract, expected: Dictionary<Buffer, Cell>): void {
  const [bits, found] = askContract(contract, 'dnsresolve', ITSELF);
  expect(intIn(bits)).toBe(8n);
  expect(cellIn(found)?.hash()).toEqual(beginCell().storeDictDirect(expected).endCell().hash());
}

/** Detection would give the same result for a name under an unknown code, except its auction. */
async function compareNameTold(contract: Contract, { kind, domain, wallet }: ContractState): Promise<void> {
  const named: StackValue = {
    kind: 'slice',
    boc: beginCell().storeAddress(contract.address).endCell().toBoc(),
  };
  const ask: Ask = async (of, method, values) => {
    if (!contract.address.hash.equals(Buffer.from(of.address)))
      return method === 'get_nft_address_by_index' ? [named] : null;
    const { exitCode, stack } = runContract(contract, method, values);
    return exitCode === 0 ? stack : null;
  };
  const own = { workchain: contract.address.workChain, address: contract.address.hash };
  const readName = kind === 'teleitem' ? readTelegramName : readNameData;
  const told = await readName(ask, own, [raw(COLLECTION)!]);
  expect(told.details).toEqual({ ...RECORDS, domain });
  expect(told.keys).toEqual([
    { role: 'domain', account: { workchain: 0, address: sha256(Buffer.from(domain)) } },
    { role: 'wallet', account: wallet },
  ]);
  await expect(readName(ask, own, [raw(NFT)!])).rejects.toThrow('expected a collection of names');
}

const addressOf = (code: Cell, data: Cell) =>
  new Address(0, beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).endCell().hash());

describe('a name of the local chain', () => {
  it('says what its get methods say', async () => {
    const code = Cell.fromBase64(DNS_ITEM_CODE);
    const initial = () => beginCell().storeUint(42n, 256).storeAddress(COLLECTION);
    const data = initial()
      .storeAddress(OWNER)
      .storeRef(beginCell().storeStringTail('alice'))
      .storeRef(offchain('http://alice'))
      .storeDict(records())
      .endCell();
    const contract = contractOf(code, data, addressOf(code, initial().endCell()));
    compareRecords(contract, records());
    const found = read(contract)!;
    expect([found.domain, rawOf(found.owner), rawOf(found.parent), rawOf(found.wallet)]).toEqual([
      'alice.ton',
      raw(OWNER),
      raw(COLLECTION),
      raw(OWNER),
    ]);
    expect(found.details).toEqual(RECORDS);
    await compareNameTold(contract, found);
    expect(read({ ...contract, address: account(8) })).toBeNull();
    expect(read({ ...contract, data: initial().endCell() })).toBeNull();
  });
});

describeWithData('a contract whose data is read', (data) => {
  const codes = new Map<string, Cell>();
  const of = (hash: string) => [...codes].find(([name]) => name.startsWith(hash))![1];

  beforeAll(() => {
    for (const file of readdirSync(`${data}/contracts/code`)) {
      const code = Cell.fromBoc(readFileSync(`${data}/contracts/code/${file}`))[0]!;
      codes.set(code.hash().toString('hex'), code);
    }
  });

  it.each(['8278f4c5', '32050dfa', 'deb53b6c', '24221fa5'])(
    'is a sale (%s) as get_sale_data has it',
    async (hash) => {
      await compareSale(contractOf(of(hash), saleData(false, null)));
      await compareSale(contractOf(of(hash), saleData(false, OWNER)));
      await compareSale(contractOf(of(hash), saleData(true, OWNER)));
    },
  );

  it.each([
    ['fc00a29d', auctionV1],
    ['6668872f', auctionV2],
    ['1bd9c5a3', auctionV2],
  ] as const)('is an auction (%s) as get_sale_data has it', async (hash, make) => {
    await compareAuction(contractOf(of(hash), make(null, null)));
    await compareAuction(contractOf(of(hash), make(OWNER, null)));
    await compareAuction(contractOf(of(hash), make(OWNER, BIDDER)));
  });

  it.each(['8b5ffc9e', '3f0ab925'])('is a name (%s) as its get methods have it', async (hash) => {
    const code = of(hash);
    const initial = () => beginCell().storeUint(42n, 256).storeAddress(COLLECTION);
    const bid = build(addresses(BIDDER), (b) => b.storeCoins(77).storeUint(1_700_000_900, 64));
    const name = (auction: Cell | null) =>
      initial()
        .storeAddress(auction ? null : OWNER)
        .storeRef(onchain(records()))
        .storeRef(beginCell().storeStringTail('foundation'))
        .storeMaybeRef(auction)
        .storeUint(1_700_000_000, 64)
        .endCell();
    for (const auction of [null, bid]) {
      const contract = contractOf(code, name(auction), addressOf(code, initial().endCell()));
      compareRecords(contract, records());
      const [label] = askContract(contract, 'get_domain');
      const [bidder, amount, end] = askContract(contract, 'get_auction_info');
      const [filled] = askContract(contract, 'get_last_fill_up_time');
      const [, , parent, owner] = askContract(contract, 'get_nft_data');
      const found = read(contract)!;
      const slice = label?.kind === 'slice' ? Cell.fromBoc(Buffer.from(label.boc))[0]! : null;
      expect(found.domain).toBe(`${slice!.beginParse().loadStringTail()}.ton`);
      expect([rawOf(found.owner), rawOf(found.parent)]).toEqual([rawIn(owner), rawIn(parent)]);
      expect(rawOf(found.bidder)).toBe(auction ? rawIn(bidder) : null);
      expect(found.details).toEqual({
        ...RECORDS,
        max_bid_address: auction ? rawIn(bidder) : null,
        max_bid_amount: auction ? text(amount) : null,
        auction_end_time: auction ? text(end) : null,
        last_fill_up_time: text(filled),
      });
      await compareNameTold(contract, found);
      expect(read({ ...contract, address: account(8) })).toBeNull();
    }
  });

  it('is a username as its get methods have it', async () => {
    const code = of('a7a2616a');
    const config = build((b) => b.storeUint(42n, 256).storeAddress(COLLECTION));
    const string = (value: string) => (b: Builder) =>
      b.storeUint(value.length, 8).storeBuffer(Buffer.from(value));
    const info = build(string('alice'), string('me\0t\0'));
    const content = beginCell()
      .storeRef(offchain('http://alice'))
      .storeDict(records())
      .storeRef(info)
      .endCell();
    const royalty = build((b) => b.storeUint(50, 16).storeUint(1_000, 16).storeAddress(ROYALTY));
    const auctionConfig = build(addresses(MARKET), (b) =>
      b.storeCoins(10).storeCoins(1_000).storeUint(5, 8).storeUint(60, 32).storeUint(3_600, 32),
    );
    const last = build(addresses(BIDDER), (b) => b.storeCoins(55).storeUint(1_700_000_100, 32));
    const auction = (bid: Cell | null) =>
      beginCell()
        .storeRef(beginCell().storeMaybeRef(bid).storeCoins(58).storeUint(1_700_000_900, 32))
        .storeRef(auctionConfig)
        .endCell();
    const item = (state: Cell | null) => beginCell().storeRef(config).storeMaybeRef(state).endCell();
    const at = addressOf(code, item(null));
    for (const running of [null, auction(null), auction(last)]) {
      const state = beginCell()
        .storeAddress(OWNER)
        .storeRef(content)
        .storeMaybeRef(running)
        .storeRef(royalty);
      const contract = contractOf(code, item(state.endCell()), at);
      compareRecords(contract, records());
      const terms = askContract(contract, 'get_telemint_auction_config');
      const royalties = askContract(contract, 'royalty_params');
      const { exitCode, stack: bids } = runContract(contract, 'get_telemint_auction_state');
      expect(exitCode === 0).toBe(running !== null);
      const [name] = askContract(contract, 'get_telemint_token_name');
      const [isInit, index, parent, owner] = askContract(contract, 'get_nft_data');
      const found = read(contract)!;
      expect([found.domain, rawOf(found.wallet)]).toEqual(['alice.t.me', raw(OWNER)]);
      expect([rawOf(found.owner), rawOf(found.parent)]).toEqual([rawIn(owner), rawIn(parent)]);
      expect([found.token?.amount, found.token?.flag]).toEqual([intIn(index), isTrue(isInit)]);
      expect(found.token?.content?.json).toBe('{"uri":"http://alice"}');
      const slice = name?.kind === 'slice' ? Cell.fromBoc(Buffer.from(name.boc))[0]! : null;
      expect(found.details).toEqual({
        ...RECORDS,
        token_name: slice!.beginParse().loadStringTail(),
        bidder_address: running ? rawIn(bids[0]) : null,
        bid: running ? text(bids[1]) : '0',
        bid_ts: running ? text(bids[2]) : '0',
        min_bid: running ? text(bids[3]) : '0',
        end_time: running ? number(bids[4]) : 0,
        beneficiary_address: rawIn(terms[0]),
        initial_min_bid: text(terms[1]),
        max_bid: text(terms[2]),
        min_bid_step: text(terms[3]),
        min_extend_time: text(terms[4]),
        duration: text(terms[5]),
        royalty_numerator: number(royalties[0]),
        royalty_denominator: number(royalties[1]),
        royalty_destination: rawIn(royalties[2]),
      });
      await compareTold(contract, found);
      await compareNameTold(contract, found);
      expect(read({ ...contract, address: account(8) })).toBeNull();
    }
    expect(read(contractOf(code, item(null), at))).toBeNull();
  });

  it('is none where its data is that of another code', () => {
    const known = [...codes.keys()].filter(isContractLayout);
    expect(known.length).toBeGreaterThanOrEqual(10);
    for (const hash of known)
      for (const cell of [beginCell().endCell(), beginCell().storeUint(7, 16).endCell()])
        expect([hash, read(contractOf(of(hash), cell))]).toEqual([hash, null]);
  });
});
