/**
 * Contracts under codes with an unknown layout, identified by their get methods: real codes, the real TVM, a real
 * store.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  Dictionary,
  type SimpleLibrary,
  storeAccount,
} from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  removeMintless,
  writeClaimLinks,
  writeMintlessAmounts,
} from '../../src/api/metadata/mintless-records.ts';
import { readLackedTables } from '../../src/api/query/meta-tables.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { chainPort } from '../../src/cli/compose/chain-port.ts';
import { DNS_ITEM_CODE } from '../../src/localnet/contracts/codes/dns-item-code.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { fetchCells } from '../../src/projections/contracts/cells/fetch-cells.ts';
import { countMissing, listMissing } from '../../src/projections/contracts/cells/missing-cells.ts';
import { contractFigures } from '../../src/projections/contracts/contract-figures.ts';
import { detectionFigures } from '../../src/projections/detections/detection-figures.ts';
import { DETECTIONS_INPUT } from '../../src/projections/detections/detections-input.ts';
import { SCHEMAS } from '../../src/projections/records/schemas.ts';
import { methodId } from '../../src/ton/contracts/codes/method-id.ts';
import { Emulator } from '../../src/tvm/emulator.ts';
import { TvmPool } from '../../src/tvm/pool/tvm-pool.ts';
import { readStack } from '../../src/tvm/stack/read-stack.ts';
import { writeStack } from '../../src/tvm/stack/write-stack.ts';
import { TACT_MASTER } from '../fixtures/tact-master.ts';
import { codeOf } from '../helpers/code-of.ts';
import { type IndexedStore, openIndexedStore, withDetections } from '../helpers/indexed-store.ts';
import { headOf } from '../helpers/local-api.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { insertRecords, StoreDetection } from '../helpers/store-detection.ts';
import { unknownCode as unknown } from '../helpers/unknown-code.ts';

const OWNER = new Address(0, Buffer.alloc(32, 1));
const MASTER = new Address(0, Buffer.alloc(32, 0x71));
const IMPOSTOR = new Address(0, Buffer.alloc(32, 0x72));
const ENDLESS = new Address(0, Buffer.alloc(32, 0x73));
const GARBAGE = new Address(0, Buffer.alloc(32, 0x74));
const BY_LIBRARY = new Address(0, Buffer.alloc(32, 0x75));
const PUBLISHER = new Address(-1, Buffer.alloc(32, 0x76));
const LOST = new Address(0, Buffer.alloc(32, 0x77));
const MINTLESS = new Address(0, Buffer.alloc(32, 0x78));
/** Masters whose code does not begin with its methods, one of them held by a library cell; and who published it. */
const [BY_TACT, BY_TACT_LIBRARY, TACT_PUBLISHER] = [0x8b, 0x8c, 0x8d].map(
  (byte) => new Address(byte === 0x8d ? -1 : 0, Buffer.alloc(32, byte)),
);
const ITEM_PUBLISHER = new Address(-1, Buffer.alloc(32, 0x7c));
const COLLECTIONS = [0x7d, 0x7e].map((byte) => new Address(0, Buffer.alloc(32, byte)));
/** Masters by their content: a long chain of cells, many keys, none of TEP-64. */
const [SALE, SELLER] = [0x7f, 0x80].map((byte) => new Address(0, Buffer.alloc(32, byte)));
const [DEEP, MANY, NO_CONTENT] = [0x79, 0x7a, 0x7b].map((byte) => new Address(0, Buffer.alloc(32, byte)));

/** Multisigs: one of version 2 but for its code, one made by hand, one whose code is known. */
const [ODD_MULTISIG, HAND_MULTISIG, KNOWN_MULTISIG] = [0x81, 0x82, 0x89].map(
  (byte) => new Address(0, Buffer.alloc(32, byte)),
);
/** The order that the one by hand knows, and one that it does not. */
const [HAND_ORDER, FALSE_ORDER] = [0x88, 0x83].map((byte) => new Address(0, Buffer.alloc(32, byte)));
const ORDER_PUBLISHER = new Address(-1, Buffer.alloc(32, 0x8a));
/** The collection of Telegram names, and one that claims to be the collection of `.ton`. */
const [USERNAMES, FALSE_NAMES] = [
  '0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2',
  `0:${'84'.repeat(32)}`,
].map((raw) => Address.parseRaw(raw));
/** A name with more records than are kept, and masters whose link is not text: under an unknown and a known code. */
const [LARGE, ODD_TEXT, KNOWN_ODD_TEXT] = [0x85, 0x86, 0x87].map(
  (byte) => new Address(0, Buffer.alloc(32, byte)),
);
const SIGNERS = [OWNER, SELLER!];
const ORDER_NUMBER = 5;

/** A master that returns its data: its owner, its content and a code. */
const PLAIN_MASTER = codeOf({
  // ONE, ZERO, c4 PUSHCTR, CTOS, LDMSGADDR, LDREF, PLDREF
  get_jetton_data: '7170ed44d0fa40d4d74c',
});

/** Instructions that leave the terms of an item. */
const TERMS = 'ed44d0d431d30031d74cd0fa4031d431d74cd0';

/**
 * An item like Telegram's items without names: gifts, telephone numbers. Its real code is a private library; this one
 * keeps the same data, and has no `dnsresolve`.
 *
 *     _ name:^Text config:^[beneficiary:MsgAddress min:Grams max:Grams step:uint8 extend:uint32 duration:uint32]
 *       auction:^[bidder:MsgAddress bid:Grams at:uint32 min:Grams end:uint32]
 *       royalty:^[numerator:uint16 denominator:uint16 to:MsgAddress] = Terms;
 *     _ config:^[index:uint256 collection:MsgAddress] state:(Maybe ^[owner:MsgAddress content:^Cell terms:^Terms]) = Item;
 */
const NAMELESS_ITEM = codeOf({
  // c4 PUSHCTR, CTOS, LDREF, NIP, 1 LDU, NIP, PLDREF, CTOS, LDMSGADDR, NIP, LDREF, NIP, PLDREF, CTOS: the terms. Then the cells of each
  // in turn (LDREF, NIP; PLDREF, CTOS), and what is in them: LDMSGADDR, LDGRAMS, 8, 16, 32 LDU, DROP
  get_telemint_token_name: `${TERMS}d74cd0`,
  get_telemint_auction_config: `${TERMS}d431d74cd0fa40fa00fa00d307d31fd31f30`,
  get_telemint_auction_state: `${TERMS}d431d431d74cd0fa40fa00d31ffa00d31f30`,
  royalty_params: `${TERMS}d431d431d431d74cd0d30fd30ffa4030`,
  // -1 PUSHINT, c4 PUSHCTR, CTOS, LDREF, SWAP, CTOS, 256 LDU, LDMSGADDR, DROP, ROT, 1 LDU, NIP, PLDREF, CTOS, LDMSGADDR, PLDREF (the first of two)
  get_nft_data: '7fed44d0d401d0d3fffa403058d30031d74cd0fa40d74c',
});

/** Terms of an item that an auction is run for. */
function terms(): Cell {
  const config = beginCell().storeAddress(OWNER).storeCoins(10).storeCoins(1_000).storeUint(5, 8);
  const auction = beginCell().storeAddress(SELLER).storeCoins(55).storeUint(1_700_000_100, 32).storeCoins(58);
  return beginCell()
    .storeRef(beginCell().storeStringTail('8880'))
    .storeRef(config.storeUint(60, 32).storeUint(3_600, 32))
    .storeRef(auction.storeUint(1_700_000_900, 32))
    .storeRef(beginCell().storeUint(5, 16).storeUint(100, 16).storeAddress(OWNER))
    .endCell();
}

/** Data of a fixed-price sale of version 3, of another account's item. */
function saleData(item: Address): Cell {
  const fees = beginCell().storeAddress(OWNER).storeCoins(50).storeAddress(OWNER).storeCoins(60);
  return beginCell()
    .storeBit(false)
    .storeUint(1_700_000_000, 32)
    .storeAddress(OWNER)
    .storeAddress(item)
    .storeAddress(SELLER)
    .storeCoins(1_000)
    .storeRef(fees)
    .storeUint(0, 96)
    .endCell();
}

/** A collection of Telegram under its real code and its item 7: Account cells, and the item's address. */
function telegramItem(
  { address, code: collectionCode }: { address: Address; code: Cell },
  itemCode: Cell,
  owner: Address,
) {
  const config = beginCell().storeUint(7, 256).storeAddress(address).endCell();
  const first = beginCell().storeRef(config).storeBit(false).endCell();
  const state = beginCell().storeAddress(owner).storeRef(offchain('http://item')).storeRef(terms()).endCell();
  const item = contractAddress(0, { code: itemCode, data: first });
  const stored = beginCell().storeRef(config).storeMaybeRef(state).endCell();
  return {
    item,
    cells: [
      accountCell(address, collectionCode, telegramCollection(itemCode)),
      accountCell(item, itemCode, stored),
    ],
  };
}

function plainMaster(address: Address, content: Cell): Uint8Array {
  const stored = beginCell().storeAddress(OWNER).storeRef(content).storeRef(Cell.EMPTY).endCell();
  return accountCell(address, PLAIN_MASTER, stored);
}

/** Content after a link of 400 cells, one below the other. */
function deepContent(): Cell {
  let deep = beginCell().storeBuffer(Buffer.alloc(127, 0x61)).endCell();
  for (let i = 0; i < 400; i++)
    deep = beginCell().storeBuffer(Buffer.alloc(126, 0x61)).storeRef(deep).endCell();
  return beginCell().storeUint(1, 8).storeRef(deep).endCell();
}

/** Ten thousand attributes, of which one is known. */
function wideContent(): Cell {
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  const keyOf = (name: string) => createHash('sha256').update(name).digest();
  for (let i = 0; i < 10_000; i++) values.set(keyOf(`other ${i}`), Cell.EMPTY);
  values.set(keyOf('symbol'), beginCell().storeUint(0, 8).storeStringTail('MANY').endCell());
  return beginCell().storeUint(0, 8).storeDict(values).endCell();
}

const offchain = (uri: string) => beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
const royalty = beginCell().storeUint(5, 16).storeUint(100, 16).storeAddress(OWNER).endCell();

/** Data of a collection of Telegram. */
const telegramCollection = (itemCode: Cell) =>
  beginCell()
    .storeBit(true)
    .storeUint(7, 32)
    .storeBuffer(Buffer.alloc(32, 1))
    .storeRef(offchain('http://telegram'))
    .storeRef(itemCode)
    .storeRef(beginCell().storeUint(0, 8).endCell())
    .storeRef(royalty)
    .endCell();

/** Item 8 of a collection of Telegram: the name alice.t.me, whose wallet is its owner. */
function username(collection: Address, code: Cell): { readonly address: Address; readonly data: Cell } {
  const config = beginCell().storeUint(8, 256).storeAddress(collection).endCell();
  const string = (value: string) => beginCell().storeUint(value.length, 8).storeBuffer(Buffer.from(value));
  const records = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  const wallet = beginCell().storeUint(0x9fd3, 16).storeAddress(OWNER).storeUint(0, 8).endCell();
  records.set(createHash('sha256').update('wallet').digest(), wallet);
  const info = beginCell().storeBuilder(string('alice')).storeBuilder(string('me\0t\0'));
  const content = beginCell().storeRef(offchain('http://alice')).storeDict(records).storeRef(info);
  const state = beginCell().storeAddress(OWNER).storeRef(content).storeBit(false).storeRef(royalty).endCell();
  const stored = (maybe: Cell | null) => beginCell().storeRef(config).storeMaybeRef(maybe).endCell();
  return { address: contractAddress(0, { code, data: stored(null) }), data: stored(state) };
}

/** An item that claims to be foundation.ton, as names of `.ton` do. */
function falseName(code: Cell): { readonly address: Address; readonly data: Cell } {
  const first = () => beginCell().storeUint(42n, 256).storeAddress(FALSE_NAMES!);
  const data = first()
    .storeAddress(LARGE!)
    .storeRef(beginCell().storeUint(0, 8).storeBit(false))
    .storeRef(beginCell().storeStringTail('foundation'))
    .storeBit(false)
    .storeUint(1_700_000_000, 64)
    .endCell();
  return { address: contractAddress(0, { code, data: first().endCell() }), data };
}

function signerList(): Cell {
  const list = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  for (const [index, address] of SIGNERS.entries()) list.set(index, address);
  return beginCell().storeDictDirect(list).endCell();
}

/** Data of a multisig of version 2 without proposers. */
const multisigData = () =>
  beginCell()
    .storeUint(ORDER_NUMBER + 1, 256)
    .storeUint(2, 8)
    .storeRef(signerList())
    .storeUint(SIGNERS.length, 8)
    .storeUint(0, 2)
    .endCell();

/** The order of such a multisig: its expected address, and its data. */
function orderOf(multisig: Address, code: Cell): { readonly address: Address; readonly data: Cell } {
  const first = beginCell().storeAddress(multisig).storeUint(ORDER_NUMBER, 256);
  const begun = beginCell()
    .storeBuilder(first)
    .storeUint(2, 8)
    .storeBit(false)
    .storeRef(signerList())
    .storeUint(1, 256)
    .storeUint(1, 8)
    .storeUint(1_800_000_000, 48)
    .storeRef(Cell.EMPTY)
    .endCell();
  return { address: contractAddress(0, { code, data: first.endCell() }), data: begun };
}

/** A multisig that knows the order whose address its data begins with. */
const HAND_MULTISIG_CODE = codeOf({
  // -1, 2, c4 PUSHCTR, CTOS, LDMSGADDR, NIP, PLDREF, PUSHNULL
  get_multisig_data: '7f72ed44d0fa4031d74c6d',
  // DROP, c4 PUSHCTR, CTOS, LDMSGADDR, DROP
  get_order_address: '30ed44d0fa4030',
});
/** Order 5 of the multisig that its data begins with: c4 PUSHCTR, CTOS, LDMSGADDR; then the numbers (SWAP) between LDREF and PLDREF. */
const HAND_ORDER_CODE = codeOf({ get_order_data: 'ed44d0fa40750172017001d4710171017a01d74c' });
const handMultisig = () => beginCell().storeAddress(HAND_ORDER!).storeRef(signerList()).endCell();
const handOrder = () =>
  beginCell().storeAddress(HAND_MULTISIG!).storeRef(signerList()).storeRef(Cell.EMPTY).endCell();

/** A name of the local chain with ten thousand records. */
function largeName(): Cell {
  const records = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (let i = 0; i < 10_000; i++) records.set(createHash('sha256').update(`${i}`).digest(), Cell.EMPTY);
  return beginCell()
    .storeUint(42n, 256)
    .storeAddress(FALSE_NAMES!)
    .storeAddress(OWNER)
    .storeRef(beginCell().storeStringTail('large'))
    .storeRef(offchain('http://large'))
    .storeDict(records)
    .endCell();
}

/** A link whose bytes are no UTF-8. */
const ODD_LINK = beginCell().storeUint(0x01c328, 24).endCell();

/** A library cell: 2 and the target's hash. */
const libraryCell = (code: Cell) =>
  beginCell().storeUint(2, 8).storeBuffer(code.hash()).endCell({ exotic: true });

/** `published`: a library of the account. */
function accountCell(address: Address, code: Cell, data: Cell, published?: Cell): Uint8Array {
  const libraries = Dictionary.empty<bigint, SimpleLibrary>(Dictionary.Keys.BigUint(256), {
    serialize: (library, builder) => builder.storeBit(library.public).storeRef(library.root),
    parse: (slice) => ({ public: slice.loadBit(), root: slice.loadRef() }),
  });
  if (published)
    libraries.set(BigInt(`0x${published.hash().toString('hex')}`), { public: true, root: published });
  const account = {
    addr: address,
    storageStats: { used: { cells: 1n, bits: 1n }, lastPaid: 0, duePayment: null, storageExtra: null },
    storage: {
      lastTransLt: 1n,
      balance: { coins: 1_000_000_000n },
      state: { type: 'active' as const, state: { code, data, ...(published && { libraries }) } },
    },
  };
  return new Uint8Array(beginCell().storeBit(true).store(storeAccount(account)).endCell().toBoc());
}

describeWithData('detection', (data) => {
  const pool = new TvmPool({ threads: 1, timeoutMs: 10_000 });
  let store: IndexedStore;
  let wallet: Address;
  let unclaimed: Address;
  let items: ReturnType<typeof telegramItem>[];
  let names: { readonly alice: Address; readonly foundation: Address };
  let order: ReturnType<typeof orderOf>;
  const lost = codeOf({ get_nft_data: '7173' });
  beforeAll(async () => {
    const codes = new Map(
      readdirSync(`${data}/contracts/code`).map((file) => {
        const code = Cell.fromBoc(readFileSync(`${data}/contracts/code/${file}`))[0]!;
        return [code.hash().toString('hex').slice(0, 8), code] as const;
      }),
    );
    const [masterCode, walletCode] = [unknown(codes.get('9a0f98dd')!), unknown(codes.get('beb0683e')!)];
    const published = unknown(masterCode);
    const content = beginCell().storeUint(1, 8).storeStringTail('http://jetton').endCell();
    const masterOf = (code: Cell) =>
      beginCell().storeCoins(777).storeAddress(OWNER).storeRef(content).storeRef(code).endCell();
    const walletOf = (balance: number, master: Address, code: Cell) =>
      beginCell().storeCoins(balance).storeAddress(OWNER).storeAddress(master).storeRef(code).endCell();
    // c4 PUSHCTR, CTOS, LDGRAMS, LDMSGADDR, LDMSGADDR, PLDREF; ZERO
    const mintlessCode = codeOf({ get_wallet_data: 'ed44d0fa00fa40fa40d74c', is_claimed: '70' });
    const masterData = masterOf(walletCode);
    const walletData = walletOf(55, MASTER, walletCode);
    wallet = await walletAddress({ address: MASTER, code: masterCode, data: masterData });
    const mintless = { address: MINTLESS, code: masterCode, data: masterOf(mintlessCode) };
    unclaimed = await walletAddress(mintless);
    items = ['88410c22', '4d4eb9bf'].map((hash, i) =>
      telegramItem(
        { address: COLLECTIONS[i]!, code: codes.get(hash)! },
        libraryCell(NAMELESS_ITEM),
        i === 0 ? OWNER : SALE!,
      ),
    );
    const [multisigCode, orderCode] = ['d3d14da9', '6305a806'].map((hash) => codes.get(hash)!);
    order = orderOf(ODD_MULTISIG!, libraryCell(orderCode!));
    const [usernameCode, nameCode] = ['a7a2616a', '8b5ffc9e'].map((hash) => unknown(codes.get(hash)!));
    const [alice, foundation] = [username(USERNAMES!, usernameCode!), falseName(nameCode!)];
    names = { alice: alice.address, foundation: foundation.address };
    const falseNames = beginCell().storeRef(offchain('http://names')).storeRef(nameCode!).endCell();
    store = await openIndexedStore({
      folders: [join(data, 'blocks/mainnet-genesis-0001')],
      states: [-1, 0].map((chain) => join(data, `accounts/states/mainnet_zerostate_${chain}.boc`)),
      accounts: [
        accountCell(MASTER, masterCode, masterData),
        accountCell(wallet, walletCode, walletData),
        accountCell(IMPOSTOR, walletCode, walletData),
        // <{ }> PUSHCONT, AGAIN
        accountCell(ENDLESS, codeOf({ get_jetton_data: '90ea' }), beginCell().endCell()),
        // ONE, TWO
        accountCell(GARBAGE, codeOf({ get_nft_data: '7172' }), beginCell().endCell()),
        accountCell(BY_LIBRARY, libraryCell(published), masterData),
        accountCell(PUBLISHER, codeOf({ get_nothing: '71' }), beginCell().endCell(), published),
        accountCell(LOST, libraryCell(lost), beginCell().endCell()),
        accountCell(MINTLESS, mintless.code, mintless.data),
        accountCell(BY_TACT!, TACT_MASTER, masterData),
        accountCell(BY_TACT_LIBRARY!, libraryCell(unknown(TACT_MASTER)), masterData),
        accountCell(TACT_PUBLISHER!, codeOf({ get_nothing: '71' }), Cell.EMPTY, unknown(TACT_MASTER)),
        plainMaster(DEEP!, deepContent()),
        ...items.flatMap(({ cells }) => cells),
        accountCell(ITEM_PUBLISHER, codeOf({ get_nothing: '71' }), Cell.EMPTY, NAMELESS_ITEM),
        plainMaster(MANY!, wideContent()),
        plainMaster(NO_CONTENT!, beginCell().storeUint(7, 8).endCell()),
        accountCell(SALE!, unknown(codes.get('24221fa5')!), saleData(items[1]!.item)),
        accountCell(unclaimed, mintlessCode, walletOf(0, MINTLESS, mintlessCode)),
        accountCell(USERNAMES!, codes.get('4d4eb9bf')!, telegramCollection(usernameCode!)),
        accountCell(alice.address, usernameCode!, alice.data),
        accountCell(FALSE_NAMES!, codes.get('c45a7071')!, falseNames),
        accountCell(foundation.address, nameCode!, foundation.data),
        accountCell(LARGE!, Cell.fromBase64(DNS_ITEM_CODE), largeName()),
        plainMaster(ODD_TEXT!, ODD_LINK),
        accountCell(
          KNOWN_ODD_TEXT!,
          codes.get('9a0f98dd')!,
          beginCell().storeCoins(1).storeAddress(OWNER).storeRef(ODD_LINK).storeRef(walletCode).endCell(),
        ),
        accountCell(ODD_MULTISIG!, unknown(multisigCode!), multisigData()),
        accountCell(KNOWN_MULTISIG!, multisigCode!, multisigData()),
        accountCell(order.address, libraryCell(orderCode!), order.data),
        accountCell(ORDER_PUBLISHER, codeOf({ get_nothing: '71' }), Cell.EMPTY, orderCode!),
        accountCell(HAND_MULTISIG!, HAND_MULTISIG_CODE, handMultisig()),
        accountCell(HAND_ORDER!, HAND_ORDER_CODE, handOrder()),
        accountCell(FALSE_ORDER!, HAND_ORDER_CODE, handOrder()),
      ],
      contracts: true,
    });
  }, 600_000);
  afterAll(async () => {
    await pool.close();
    await store?.close();
  });

  /** The address that a master computes for the owner's wallet. */
  async function walletAddress(master: { address: Address; code: Cell; data: Cell }): Promise<Address> {
    const emulator = await Emulator.create();
    const owner = { kind: 'slice', boc: beginCell().storeAddress(OWNER).endCell().toBoc() } as const;
    const { stack } = emulator.runGetMethod({
      code: master.code.toBoc().toString('base64'),
      data: master.data.toBoc().toString('base64'),
      methodId: methodId('get_wallet_address'),
      stack: Buffer.from(writeStack([owner])).toString('base64'),
      config: defaultConfig,
      address: master.address.toRawString(),
      now: 1_750_000_000,
      balance: 1n,
      gasLimit: 1_000_000n,
      randomSeed: new Uint8Array(32),
      libraries: null,
      prevBlocks: null,
    });
    const [found] = readStack(Buffer.from(stack, 'base64'));
    if (found?.kind !== 'slice') throw new Error('no address');
    return Cell.fromBoc(Buffer.from(found.boc))[0]!.beginParse().loadAddress();
  }

  const outcomes = async () => {
    const { rows } = await store.client.queryRows<[string, string, string, string, string]>(
      `SELECT concat(toString(workchain), ':', lower(hex(account))), toString(kind), reason, toString(amount), content
       FROM ${store.detections}.token_outcomes ORDER BY lt DESC, mc_seqno DESC LIMIT 1 BY account, workchain, kind`,
      { route: 'test' },
    );
    return new Map(rows.map(([address, ...more]) => [address, more]));
  };

  /** v3 over what was found. */
  async function tellInLists(): Promise<void> {
    const app = await buildServer(withDetections(store));
    const [master, raw] = [MASTER, wallet].map((one) => one.toRawString().toUpperCase());
    const get = async (path: string) => (await app.inject({ url: `/api/v3/${path}` })).json();
    try {
      const { jetton_masters: masters, metadata } = await get('jetton/masters?limit=1000');
      expect(masters).toContainEqual(
        expect.objectContaining({
          address: master,
          total_supply: '777',
          admin_address: OWNER.toRawString().toUpperCase(),
          jetton_content: { uri: 'http://jetton' },
        }),
      );
      expect(metadata[master!]).toEqual({ is_indexed: false, token_info: [{ type: 'jetton_masters' }] });
      const states = await get(`walletStates?address=${master}`);
      expect([states.wallets[0].is_wallet, states.metadata]).toEqual([
        false,
        { [master!]: metadata[master!] },
      ]);
      for (const filter of [
        `address=${raw}`,
        `owner_address=${OWNER.toRawString()}&exclude_zero_balance=true`,
        `jetton_address=${master}`,
        `jetton_address=${master}&owner_address=${OWNER.toRawString()}&sort=desc&exclude_zero_balance=true`,
      ]) {
        const { jetton_wallets: wallets } = await get(`jetton/wallets?${filter}`);
        expect(wallets, filter).toMatchObject([{ address: raw, balance: '55', jetton: master }]);
      }
      const pages = [0, 1].map((offset) =>
        get(`jetton/wallets?jetton_address=${master}&limit=1&offset=${offset}`),
      );
      expect((await Promise.all(pages)).map((page) => page.jetton_wallets.length)).toEqual([1, 0]);
      const none = `jetton/wallets?address=${IMPOSTOR.toRawString()}`;
      expect((await get(none)).jetton_wallets).toEqual([]);
    } finally {
      await app.close();
    }
  }

  it('runs get methods once a state, confirms by the master, and reports why an account is no token', async () => {
    const context = { ...store.context, chain: chainPort(null, pool) };
    const figures = { client: store.client, database: store.contracts!, network: context.network.label };
    const ofDetections = { ...figures, database: store.detections! };
    expect(await detectionFigures(ofDetections, 'contracts')).toMatchObject({
      'unknown token codes': 8,
      'unknown sale codes': 2,
      'unknown multisig codes': 3,
      'unknown name codes': 1,
      'queued codes': 12,
    });

    const first = new StoreDetection(store, context);
    // The multisig is followed by its order, whose code is known.
    expect(await first.pass()).toBeGreaterThanOrEqual(28);
    const found = await outcomes();
    expect(found.get(MASTER.toRawString())).toEqual(['jetton_master', '', '777', '{"uri":"http://jetton"}']);
    expect(found.get(wallet.toRawString())).toEqual(['jetton_wallet', '', '55', '']);
    for (const one of [BY_LIBRARY, BY_TACT!, BY_TACT_LIBRARY!])
      expect(found.get(one.toRawString())).toEqual(found.get(MASTER.toRawString()));
    expect(found.get(IMPOSTOR.toRawString())?.[1]).toMatch(/^expected its own address/);
    // Its gas ends, or on a busy machine the time of a method.
    const endless = found.get(ENDLESS.toRawString())?.[1];
    expect(endless).toMatch(/^(exit code -14|get method: timeout)$/);
    expect(found.get(GARBAGE.toRawString())?.[1]).toBe('2 values, 5 expected');
    expect(await contractFigures(figures)).toMatchObject({
      'missing cells': 1,
      'missing libraries': 1,
      'too large data': 1,
      'unreadable data': 1,
    });
    expect(await detectionFigures(ofDetections, 'contracts')).toMatchObject({
      'unknown token codes': 12,
      'unknown sale codes': 3,
      'queued codes': 0,
      'detected jetton_master': 7,
      'detected jetton_wallet': 2,
      'detected nft_sale': 1,
      'detected teleitem': 3,
      'detected multisig': 2,
      'detected multisig_order': 2,
      'no multisig_order: expected its own address, found …': 1,
      'no dns_item: expected a collection of names, found another': 1,
      'no nft_auction: expected 20 values of get_sale_data, found 11': 1,
      [`no jetton_master: ${endless}`]: 1,
      'no jetton_master: expected content as TEP-64 has it, found another cell': 2,
      // The contract chooses the value found instead, so it is not distinguished.
      'no jetton_wallet: expected its own address, found …': 1,
      'no nft_item: 2 values, 5 expected': 1,
    });
    expect(JSON.parse(found.get(DEEP!.toRawString())![3]!)).toEqual({ uri: 'a'.repeat(8_192) });
    expect(found.get(MANY!.toRawString())).toEqual(['jetton_master', '', '1', '{"symbol":"MANY"}']);
    await tellInLists();
    // Wallet and impostor have the same code and data, and ask the same of the master.
    const runs = first.runs;
    expect(runs).toBeLessThanOrEqual(70);
    expect(await first.pass()).toBe(0);
    await first.close();

    // Another process finds every outcome recorded, and runs nothing.
    const second = new StoreDetection(store, context);
    expect([await second.pass(), second.runs]).toEqual([0, 0]);
    await second.close();
  }, 600_000);

  it('rebuilds the records of the log from the tables, and equal rows from these records', async () => {
    const { client, detections } = store;
    const read = async () => {
      const tables = ['token_outcomes', 'contract_outcomes'].map((table) =>
        client.queryText(`SELECT * FROM ${detections}.${table} ORDER BY ALL FORMAT JSONEachRow`, {
          route: 'test',
        }),
      );
      return Promise.all(tables);
    };
    const before = await read();
    const codec = new AvroCodec(loadSchemas(SCHEMAS));
    const { signal } = new AbortController();
    const encoding = { codec, network: store.context.network.label, signal };
    const head = headOf(store.context);
    const range = { first: head, last: head };
    const records = await DETECTIONS_INPUT.records({ client, database: detections! }, range, encoding);
    for (const table of ['token_outcomes', 'contract_outcomes'])
      await client.command(`TRUNCATE TABLE ${detections}.${table}`, { route: 'test' });
    await insertRecords(store, records.get(head)!);
    expect(await read()).toEqual(before);
  }, 600_000);

  it('returns what a wallet of a mintless jetton may claim, if the operator set it', async () => {
    const [raw, master] = [unclaimed, MINTLESS].map((one) => one.toRawString().toUpperCase());
    const listed = (more: string) => walletsOf(`jetton_address=${master}${more}`);
    const said = { amount: null, start_from: null, expire_at: null, custom_payload_api_uri: null };
    expect(await listed('')).toMatchObject([{ address: raw, balance: '0', mintless_info: said }]);
    expect(await listed('&exclude_zero_balance=true')).toEqual([]);
    const { client } = store;
    const { label } = store.context.network;
    const owner = OWNER.toRawString().toUpperCase();
    await writeClaimLinks(client, label, { address: master!, apiUris: ['https://claim'] });
    const claim = { owner, amount: 99n, startFrom: 1_700_000_000, expireAt: null };
    await writeMintlessAmounts(client, label, master!, [claim]);
    const told = {
      ...said,
      amount: '99',
      start_from: 1_700_000_000,
      custom_payload_api_uri: ['https://claim'],
    };
    for (const more of ['', '&exclude_zero_balance=true', `&address=${raw}`])
      expect(await listed(more), more).toMatchObject([{ address: raw, mintless_info: told }]);
    const [other] = await walletsOf(`address=${wallet.toRawString()}`);
    expect(other).not.toHaveProperty('mintless_info');
    await removeMintless(client, label, master!);
    expect(await listed('')).toMatchObject([{ address: raw, balance: '0', mintless_info: said }]);
    expect(await listed('&exclude_zero_balance=true')).toEqual([]);
  }, 600_000);

  it('detects items of Telegram that are no names: gifts and telephone numbers, whose code is a library cell', async () => {
    const app = await buildServer(withDetections(store));
    for (const [i, { item }] of items.entries()) {
      const [address, collection] = [item, COLLECTIONS[i]!].map((one) => one.toRawString().toUpperCase());
      const reply = await app.inject({ url: `/api/v3/nft/items?collection_address=${collection}` });
      expect([reply.statusCode, store.logged]).toEqual([200, []]);
      expect(reply.json().nft_items).toMatchObject([
        {
          address,
          init: true,
          index: '7',
          collection_address: collection,
          owner_address: (i === 0 ? OWNER : SALE!).toRawString().toUpperCase(),
          on_sale: i === 1,
          collection: { collection_content: { uri: 'http://telegram' } },
        },
      ]);
      expect(reply.json().nft_items[0].content).toEqual({ uri: 'http://item' });
    }
    await app.close();
  }, 600_000);

  it('takes unreadable data for no token, and still reports the methods of the code', async () => {
    const app = await buildServer(withDetections(store));
    const get = async (path: string) => (await app.inject({ url: `/api/v3/${path}` })).json();
    for (const odd of [ODD_TEXT!, KNOWN_ODD_TEXT!]) {
      expect((await get(`jetton/masters?address=${odd.toRawString()}`)).jetton_masters).toEqual([]);
      const ofOdd = await get(`metadata?address=${odd.toRawString()}`);
      expect(ofOdd).toEqual({});
    }
    expect((await codeFactsOf(KNOWN_ODD_TEXT!))[0]).toEqual(['jetton_master']);
    const large = LARGE!.toRawString();
    expect((await get(`nft/items?address=${large}`)).nft_items).toEqual([]);
    expect((await get('dns/records?domain=large.ton')).records).toEqual([]);
    expect((await codeFactsOf(LARGE!))[0]).toEqual(['dns', 'editable', 'nft_item']);
    await app.close();
    expect(store.logged).toEqual([]);
  }, 600_000);

  it('detects sales of items, and items that sell themselves, under unknown codes', async () => {
    const app = await buildServer(withDetections(store));
    const get = async (path: string) => (await app.inject({ url: `/api/v3/${path}` })).json();
    const rawOf = (address: Address) => address.toRawString().toUpperCase();
    const [own, sold] = items.map(({ item }) => rawOf(item));
    const [sale, seller, owner] = [SALE!, SELLER!, OWNER].map(rawOf);
    const { nft_sales: sales, address_book: book } = await get(`nft/sales?address=${sale},${own}`);
    expect(sales).toHaveLength(2);
    expect(sales.find(({ address }: { address: string }) => address === sale)).toMatchObject({
      type: 'getgems_sale',
      nft_address: sold,
      nft_owner_address: seller,
      marketplace_address: owner,
      created_at: 1_700_000_000,
      details: { is_complete: false, full_price: '1000', marketplace_fee: '50', royalty_amount: '60' },
      nft_item: { address: sold, index: '7', on_sale: true },
    });
    expect(sales.find(({ address }: { address: string }) => address === own)).toMatchObject({
      type: 'telemint',
      nft_address: own,
      nft_owner_address: owner,
      details: {
        token_name: '8880',
        bidder_address: seller,
        bid: '55',
        bid_ts: '1700000100',
        min_bid: '58',
        end_time: 1_700_000_900,
        beneficiary_address: owner,
        initial_min_bid: '10',
        max_bid: '1000',
        min_bid_step: '5',
        min_extend_time: '60',
        duration: '3600',
        royalty_numerator: 5,
        royalty_denominator: 100,
        royalty_destination: owner,
      },
      nft_item: { address: own },
    });
    expect(Object.keys(book)).toEqual(expect.arrayContaining([sale, sold, own, seller, owner]));

    const ofSale = {
      address: sold,
      owner_address: sale,
      real_owner: seller,
      on_sale: true,
      sale_contract_address: sale,
    };
    expect((await get(`nft/items?address=${sold}`)).nft_items).toMatchObject([ofSale]);
    expect((await get(`nft/items?owner_address=${seller}`)).nft_items).toEqual([]);
    const { nft_items: listed } = await get(`nft/items?owner_address=${seller}&include_on_sale=true`);
    expect(listed).toMatchObject([ofSale]);
    await app.close();
    expect(store.logged).toEqual([]);
  }, 600_000);

  it('detects multisigs and orders under unknown codes if the multisig confirms the order', async () => {
    const app = await buildServer(withDetections(store));
    const get = async (path: string) => (await app.inject({ url: `/api/v3/multisig/${path}` })).json();
    const rawOf = (address: Address) => address.toRawString().toUpperCase();
    const [odd, hand, known, seller] = [ODD_MULTISIG!, HAND_MULTISIG!, KNOWN_MULTISIG!, SELLER!].map(rawOf);
    const [ofOdd, ofHand] = [order.address, HAND_ORDER!].map(rawOf);
    const signers = SIGNERS.map(rawOf);
    const embedded = (multisig_address: string, address: string) => ({
      ...{ address, multisig_address, order_seqno: '5', threshold: 2, sent_for_execution: false },
      ...{ approvals_mask: '1', approvals_num: 1, signers, actions: null },
    });
    const multisig = (address: string, nextNumber: string, orders: object[] | null) => ({
      ...{ address, next_order_seqno: nextNumber, threshold: 2, signers, proposers: [] },
      orders,
    });
    const all = [
      multisig(odd!, '6', [embedded(odd!, ofOdd!)]),
      multisig(hand!, '-1', [embedded(hand!, ofHand!)]),
      multisig(known!, '6', null),
    ];
    const { multisigs, address_book: book } = await get(`wallets?address=${odd}`);
    expect(multisigs).toMatchObject(all.slice(0, 1));
    expect(Object.keys(book).sort()).toEqual([...signers, odd, ofOdd].sort());
    for (const filter of [`wallet_address=${seller}&`, ''])
      expect((await get(`wallets?${filter}sort=asc`)).multisigs).toMatchObject(all);
    const second = await get(`wallets?wallet_address=${seller}&sort=asc&limit=1&offset=1`);
    expect(second.multisigs).toMatchObject(all.slice(1, 2));
    expect((await get(`wallets?wallet_address=${hand}`)).multisigs).toEqual([]);

    for (const [of, address, expiration_date] of [
      [odd, ofOdd, 1_800_000_000],
      [hand, ofHand, 10],
    ])
      expect((await get(`orders?multisig_address=${of}&parse_actions=true`)).orders).toMatchObject([
        { address, expiration_date, actions: [] },
      ]);
    expect((await get(`orders?address=${rawOf(FALSE_ORDER!)}`)).orders).toEqual([]);
    const listed = (await get('orders')).orders.map(({ address }: { address: string }) => address);
    expect(listed.toSorted()).toEqual([ofOdd, ofHand].toSorted());
    await app.close();
    expect(store.logged).toEqual([]);
  }, 600_000);

  it('detects names under unknown codes if a collection of names confirms their address', async () => {
    const app = await buildServer(withDetections(store));
    const get = async (path: string) => (await app.inject({ url: `/api/v3/${path}` })).json();
    const [alice, foundation, owner] = [names.alice, names.foundation, OWNER].map((one) =>
      one.toRawString().toUpperCase(),
    );
    const record = {
      nft_item_address: alice,
      nft_item_owner: owner,
      domain: 'alice.t.me',
      dns_next_resolver: null,
      dns_wallet: owner,
      dns_site_adnl: null,
      dns_storage_bag_id: null,
    };
    for (const filter of ['domain=alice.t.me', `wallet=${owner}`])
      expect((await get(`dns/records?${filter}`)).records, filter).toEqual([record]);
    expect((await get(`dns/records?wallet=${owner}&offset=1`)).records).toEqual([]);
    const { nft_items: items, metadata } = await get(`nft/items?address=${alice}`);
    expect(items[0].content).toEqual({ uri: 'http://alice', domain: 'alice.t.me' });
    expect(metadata[alice!].token_info).toMatchObject([{ type: 'nft_items', nft_index: '8' }]);
    const [sale] = (await get(`nft/sales?address=${alice}`)).nft_sales;
    expect(sale).toMatchObject({ type: 'telemint', details: { token_name: 'alice' } });
    expect(sale.details).not.toHaveProperty('domain');
    // Any account may deploy a collection whose items claim to be names.
    expect((await get('dns/records?domain=foundation.ton')).records).toEqual([]);
    const [other] = (await get(`nft/items?address=${foundation}`)).nft_items;
    expect(other).toMatchObject({ index: '42', content: {} });
    expect(other.content).not.toHaveProperty('domain');
    await app.close();
    expect(store.logged).toEqual([]);
  }, 600_000);

  async function walletsOf(query: string): Promise<readonly object[]> {
    const app = await buildServer(withDetections(store));
    const reply = await app.inject({ url: `/api/v3/jetton/wallets?${query}` });
    await app.close();
    return reply.json().jetton_wallets;
  }

  it('follows a library cell to detect its account, and fetches a library that is not stored', async () => {
    const { client, contracts: database, context } = store;
    const { label: network } = context.network;
    const cells = { client, database: database!, network };
    const [hash] = await listMissing(cells, '00'.repeat(32), 10);
    expect(hash).toBe(lost.hash().toString('hex'));
    expect(await codeFactsOf(BY_LIBRARY)).toEqual([
      ['jetton_master'],
      expect.arrayContaining([methodId('get_jetton_data')]),
    ]);
    expect(await codeFactsOf(LOST)).toEqual([null, null]);

    const outlet = {
      async *cells() {
        yield { hash: hash!, boc: new Uint8Array(lost.toBoc()), origin: 'test' };
      },
    };
    expect(await fetchCells(cells, outlet)).toEqual({ fetched: 1, refused: [] });
    expect(await countMissing(cells)).toEqual({ cells: 0, accounts: 0, libraries: 0 });
    const third = new StoreDetection(store, { ...context, chain: chainPort(null, pool) });
    expect(await third.pass()).toBe(1);
    await third.close();
    expect((await outcomes()).get(LOST.toRawString())?.[1]).toBe('2 values, 5 expected');
  }, 600_000);

  it('answers from a store of an older release, and names the tables that it lacks', async () => {
    const { label: network } = store.context.network;
    const beside = ['found_codes', 'mintless_masters', 'mintless_amounts', 'hidden_methods'];
    expect([...(await readLackedTables(store.client, network))]).toEqual([]);
    for (const table of beside)
      await store.client.command(`DROP TABLE ${network}.${table}`, { route: 'test' });
    const lackedTables = await readLackedTables(store.client, network);
    expect([...lackedTables]).toEqual(beside);
    const app = await buildServer({ ...withDetections(store), lackedTables });
    const get = async (path: string) => (await app.inject({ url: `/api/v3/${path}` })).json();
    const master = MASTER.toRawString().toUpperCase();
    expect((await get(`jetton/masters?address=${master}`)).jetton_masters).toMatchObject([
      { address: master },
    ]);
    const listed = await get(`jetton/wallets?jetton_address=${master}&exclude_zero_balance=true`);
    expect(listed.jetton_wallets).toMatchObject([{ balance: '55' }]);
    const [open] = (await get(`jetton/wallets?address=${unclaimed.toRawString()}`)).jetton_wallets;
    expect([open.balance, open.mintless_info.amount]).toEqual(['0', null]);
    expect((await get(`accountStates?address=${MASTER.toRawString()}`)).accounts).toHaveLength(1);
    await app.close();
    const figures = await contractFigures({ client: store.client, database: store.contracts!, network });
    expect(figures).toMatchObject({ 'missing cells': 0 });
    expect(store.logged).toEqual([]);
  }, 600_000);

  /** Interfaces and methods of an account. */
  async function codeFactsOf(address: Address): Promise<readonly unknown[]> {
    const app = await buildServer(withDetections(store));
    const url = `/api/v3/accountStates?include_boc=false&address=${address.toRawString()}`;
    const { accounts } = (await app.inject({ url })).json();
    await app.close();
    return [accounts[0].interfaces, accounts[0].contract_methods];
  }
});
