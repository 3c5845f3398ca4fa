import { readdirSync, readFileSync } from 'node:fs';
import { Address, beginCell, Cell, contractAddress, ExternalAddress, loadAccount } from '@ton/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { JETTON_MINTER_CODE } from '../../../../src/localnet/contracts/codes/jetton-minter-code.ts';
import { JETTON_WALLET_CODE } from '../../../../src/localnet/contracts/codes/jetton-wallet-code.ts';
import { NFT_COLLECTION_CODE } from '../../../../src/localnet/contracts/codes/nft-collection-code.ts';
import { NFT_ITEM_CODE } from '../../../../src/localnet/contracts/codes/nft-item-code.ts';
import { STAKE_MINTER_CODE } from '../../../../src/localnet/contracts/codes/stake-minter-code.ts';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import { methodId } from '../../../../src/ton/contracts/codes/method-id.ts';
import { readMethodIds } from '../../../../src/ton/contracts/codes/method-ids.ts';
import { isKnownLayout, readToken } from '../../../../src/ton/contracts/known-layouts.ts';
import type { TokenState } from '../../../../src/ton/contracts/token-state.ts';
import { readTokenContent } from '../../../../src/ton/contracts/tokens/token-content.ts';
import type { StackValue } from '../../../../src/tvm/stack/stack-value.ts';
import {
  addressIn,
  askContract,
  type Contract,
  cellIn,
  intIn,
  librariesOf,
  withMoreData,
} from '../../../helpers/ask-contract.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

/*
 * Compares every known layout with the get methods of its own code, run in the TVM on the same data, and the address
 * with the one that the master or collection of the same family computes.
 */

const account = (byte: number) => new Address(0, Buffer.alloc(32, byte));
const OWNER = account(1);
const link = (text: string) => beginCell().storeStringTail(text).endCell();
const offchain = (text: string) => beginCell().storeUint(1, 8).storeStringTail(text).endCell();
const inSlice = (address: Address): StackValue => ({
  kind: 'slice',
  boc: beginCell().storeAddress(address).endCell().toBoc(),
});

/** Reads the contract as the projection does, out of one bag with code and data. */
function read({ code, data, address: at }: Contract): TokenState {
  const boc = parseBoc(beginCell().storeRef(code).storeRef(data).endCell().toBoc());
  const root = new CellSlice(boc, onlyRoot(boc));
  const found = readToken(code.hash().toString('hex'), {
    boc,
    hashes: new CellHashes(boc),
    account: { workchain: at.workChain, address: at.hash },
    code: root.ref(),
    data: root.ref(),
  });
  if (!found || found === 'hidden') throw new Error(`not read: ${code.hash().toString('hex')}`);
  return found;
}

const same = (found: TokenState['owner'], expected: Address | null) =>
  expect(found && `${found.workchain}:${Buffer.from(found.address).toString('hex')}`).toBe(
    expected?.toRawString() ?? null,
  );

/** Data that is longer than the code's is read if the get method accepts it. */
function compareLonger(contract: Contract, method: string): void {
  const { longer, isTaken } = withMoreData(contract, method);
  if (isTaken) expect(read(longer)).toEqual(read(contract));
  else expect(() => read(longer)).toThrow('not read');
}

/** A wallet at its master's computed address, compared with its own answer. */
function compareWallet(code: Cell, master: Contract, walletData: (balance: bigint) => Cell): void {
  const at = addressIn(askContract(master, 'get_wallet_address', [inSlice(OWNER)])[0])!;
  const wallet = { code, data: walletData(777n), address: at, libraries: master.libraries };
  const [balance, owner, jetton] = askContract(wallet, 'get_wallet_data');
  const found = read(wallet);
  expect([found.kind, found.amount]).toEqual(['jetton_wallet', intIn(balance)]);
  same(found.owner, addressIn(owner));
  same(found.parent, addressIn(jetton));
  expect(Buffer.from(found.childCode)).toEqual(code.hash());
  expect(() => read({ ...wallet, address: account(9) })).toThrow('not read');
}

function compareMaster(master: Contract): void {
  const [supply, mintable, admin, content, code] = askContract(master, 'get_jetton_data');
  const found = read(master);
  expect([found.amount, found.flag]).toEqual([intIn(supply), intIn(mintable) !== 0n]);
  same(found.owner, addressIn(admin));
  const { type, data } = readTokenContent(cellIn(content)!.toBoc())!;
  expect(JSON.parse(found.content!.json!)).toEqual(type === 'offchain' ? { uri: data } : data);
  expect(Buffer.from(found.childCode)).toEqual(cellIn(code)!.hash());
  compareLonger(master, 'get_jetton_data');
}

function compareCollection(collection: Contract, item: (index: bigint) => Cell, itemCode: Cell): void {
  const [next, content, owner] = askContract(collection, 'get_collection_data');
  const found = read(collection);
  expect(found.amount).toBe(intIn(next));
  same(found.owner, addressIn(owner));
  compareLonger(collection, 'get_collection_data');
  const { type, data } = readTokenContent(cellIn(content)!.toBoc())!;
  expect(JSON.parse(found.content!.json!)).toEqual(type === 'offchain' ? { uri: data } : data);
  const at = addressIn(askContract(collection, 'get_nft_address_by_index', [{ kind: 'int', value: 7n }])[0])!;
  compareItem(
    { code: itemCode, data: item(7n), address: at, libraries: collection.libraries },
    found,
    collection,
  );
}

function compareItem(item: Contract, collectionState: TokenState, collection: Contract): void {
  const [isInit, index, parent, owner, individual] = askContract(item, 'get_nft_data');
  const found = read(item);
  expect([found.flag, found.amount]).toEqual([intIn(isInit) !== 0n, intIn(index)]);
  same(found.parent, addressIn(parent));
  same(found.owner, addressIn(owner));
  const full = askContract(collection, 'get_nft_content', [
    { kind: 'int', value: 7n },
    { kind: 'cell', boc: cellIn(individual)!.toBoc() },
  ])[0];
  const { type, data } = readTokenContent(cellIn(full)!.toBoc())!;
  const own = collectionState.flag
    ? { uri: `${collectionState.link}${found.link}` }
    : JSON.parse(found.content!.json!);
  expect(own).toEqual(type === 'offchain' ? { uri: data } : data);
}

const plainWallet = (master: Address, code: Cell) => (balance: bigint) =>
  beginCell().storeCoins(balance).storeAddress(OWNER).storeAddress(master).storeRef(code).endCell();
const plainMaster = (code: Cell, admin: Address | ExternalAddress = OWNER) =>
  beginCell().storeCoins(777).storeAddress(admin).storeRef(offchain('http://a')).storeRef(code).endCell();
/** A library cell: 2 and the target's hash. */
const libraryCell = (code: Cell) =>
  beginCell().storeUint(2, 8).storeBuffer(code.hash()).endCell({ exotic: true });
const royalty = beginCell().storeUint(1, 16).storeUint(2, 16).storeAddress(OWNER).endCell();

describe('a known layout of the local chain', () => {
  const code = (base64: string) => Cell.fromBase64(base64);
  const at = account(2);
  const none = librariesOf([code(JETTON_WALLET_CODE)]);

  it('of jettons says what the get methods say', () => {
    const walletCode = code(JETTON_WALLET_CODE);
    for (const minter of [JETTON_MINTER_CODE, STAKE_MINTER_CODE]) {
      const master = { code: code(minter), data: plainMaster(walletCode), address: at, libraries: none };
      compareMaster(master);
      compareWallet(walletCode, master, plainWallet(at, walletCode));
    }
  });

  it('of NFTs says what the get methods say', () => {
    const itemCode = code(NFT_ITEM_CODE);
    const data = beginCell()
      .storeAddress(OWNER)
      .storeUint(8, 64)
      .storeRef(offchain('http://c'))
      .storeRef(itemCode)
      .storeRef(royalty)
      .endCell();
    const collection = { code: code(NFT_COLLECTION_CODE), data, address: at, libraries: none };
    const item = (index: bigint) =>
      beginCell()
        .storeUint(index, 64)
        .storeAddress(at)
        .storeAddress(OWNER)
        .storeRef(offchain('http://i'))
        .endCell();
    compareCollection(collection, item, itemCode);
  });
});

describeWithData('a known layout', (data) => {
  const codes = new Map<string, Cell>();
  const of = (hash: string) => [...codes].find(([key]) => key.startsWith(hash))![1];
  const at = account(2);
  let libraries: Cell;

  beforeAll(() => {
    for (const file of readdirSync(`${data}/contracts/code`)) {
      const code = Cell.fromBoc(readFileSync(`${data}/contracts/code/${file}`))[0]!;
      codes.set(code.hash().toString('hex'), code);
    }
    libraries = librariesOf([...codes.values()]);
  });

  it.each([
    ['9a0f98dd', 'beb0683e'],
    ['f95ba033', '4adf4813'],
  ])('of a standard jetton (%s, %s) says what the get methods say', (masterHash, walletHash) => {
    const walletCode = of(walletHash);
    const master = { code: of(masterHash), data: plainMaster(walletCode), address: at, libraries };
    compareMaster(master);
    compareWallet(walletCode, master, plainWallet(at, walletCode));
  });

  it('of a standard jetton whose administrator is no account has none', () => {
    const walletCode = of('beb0683e');
    const data = plainMaster(walletCode, new ExternalAddress(5n, 7));
    const master = { code: of('9a0f98dd'), data, address: at, libraries };
    const [supply, , admin] = askContract(master, 'get_jetton_data');
    if (admin?.kind !== 'slice') throw new Error('an address expected');
    expect(Cell.fromBoc(Buffer.from(admin.boc))[0]!.beginParse().loadExternalAddress().bits).toBe(7);
    const found = read(master);
    expect([found.kind, found.amount, found.owner]).toEqual(['jetton_master', intIn(supply), null]);
  });

  it.each([
    ['9a0f98dd', 'beb0683e'],
    ['f95ba033', '4adf4813'],
  ])(
    'of a standard jetton (%s, %s) that is held by its library cell says the same',
    (masterHash, walletHash) => {
      const walletCode = libraryCell(of(walletHash));
      const data = plainMaster(walletCode);
      const master = { code: libraryCell(of(masterHash)), data, address: at, libraries };
      compareMaster(master);
      compareWallet(walletCode, master, plainWallet(at, walletCode));
    },
  );

  it.each([
    ['18d5b6e7', '8f452d7a', 4],
    ['18d5b6e7', '89468f02', 4],
    ['f83d0549', '8d28ea42', 4],
    ['f83d0549', 'ba2918c8', 4],
    ['6eb01cd3', '346250c2', 0],
  ])('of a governed jetton (%s, %s) says what the get methods say', (masterHash, walletHash, statusBits) => {
    const walletCode = of(walletHash);
    const masterData = beginCell()
      .storeCoins(777)
      .storeAddress(OWNER)
      .storeAddress(null)
      .storeRef(walletCode)
      .storeRef(link('http://governed'))
      .endCell();
    const master = { code: of(masterHash), data: masterData, address: at, libraries };
    compareMaster(master);
    compareWallet(walletCode, master, (balance) =>
      beginCell().storeUint(0, statusBits).storeCoins(balance).storeAddress(OWNER).storeAddress(at).endCell(),
    );
  });

  it.each([
    ['64bb2d46', '4c912382'],
    ['8e5aab17', '4c912382'],
    ['8e5aab17', '98927667'],
    ['8e5aab17', '2ffbf52b'],
  ])('of NFTs (%s, %s) says what the get methods say', (collectionHash, itemHash) =>
    compareNfts(of(collectionHash), of(itemHash)),
  );

  it('of NFTs that are held by their library cells says the same', () =>
    compareNfts(libraryCell(of('8e5aab17')), libraryCell(of('4c912382'))));

  function compareNfts(collectionCode: Cell, itemCode: Cell): void {
    const content = beginCell().storeRef(offchain('http://c')).storeRef(link('http://items/')).endCell();
    const collectionData = beginCell()
      .storeAddress(OWNER)
      .storeUint(8, 64)
      .storeRef(content)
      .storeRef(itemCode)
      .storeRef(royalty)
      .endCell();
    const item = (index: bigint) =>
      beginCell()
        .storeUint(index, 64)
        .storeAddress(at)
        .storeAddress(OWNER)
        .storeRef(link('7.json'))
        .storeAddress(OWNER)
        .storeUint(0, 64)
        .endCell();
    compareCollection({ code: collectionCode, data: collectionData, address: at, libraries }, item, itemCode);
  }

  it.each([
    ['eec5bbc2', '8b5ffc9e'],
    ['c45a7071', '3f0ab925'],
  ])('of names (%s, %s) says what the get methods say', (collectionHash, itemHash) => {
    const collectionData = beginCell().storeRef(offchain('http://names')).storeRef(of(itemHash)).endCell();
    const item = (index: bigint) =>
      beginCell()
        .storeUint(index, 256)
        .storeAddress(at)
        .storeAddress(OWNER)
        .storeRef(offchain('http://name'))
        .storeRef(link('name'))
        .storeBit(false)
        .storeUint(0, 64)
        .endCell();
    compareCollection(
      { code: of(collectionHash), data: collectionData, address: at, libraries },
      item,
      of(itemHash),
    );
  });

  it.each(['4d4eb9bf', '88410c22'])(
    'of a collection of Telegram (%s) says what the get method says',
    (hash) => {
      const itemCode = beginCell().storeUint(5, 8).endCell();
      const royalty = beginCell().storeUint(5, 16).storeUint(100, 16).storeAddress(OWNER).endCell();
      const data = beginCell()
        .storeBit(true)
        .storeUint(7, 32)
        .storeBuffer(Buffer.alloc(32, 1))
        .storeRef(offchain('http://telegram'))
        .storeRef(itemCode)
        .storeRef(beginCell().storeUint(0, 8).endCell())
        .storeRef(royalty)
        .endCell();
      const collection = { code: of(hash), data, address: account(3), libraries };
      const [next, content, owner] = askContract(collection, 'get_collection_data');
      const found = read(collection);
      compareLonger(collection, 'get_collection_data');
      expect([found.kind, found.amount]).toEqual(['nft_collection', intIn(next)]);
      same(found.owner, addressIn(owner));
      expect(JSON.parse(found.content!.json!)).toEqual({ uri: 'http://telegram' });
      expect(cellIn(content)!.hash()).toEqual(Buffer.from(found.content!.hash));
      expect(Buffer.from(found.childCode)).toEqual(itemCode.hash());
      const [item] = askContract(collection, 'get_nft_address_by_index', [{ kind: 'int', value: 7n }]);
      const config = beginCell().storeUint(7n, 256).storeAddress(collection.address).endCell();
      const first = { code: itemCode, data: beginCell().storeRef(config).storeBit(false).endCell() };
      expect(addressIn(item)?.toRawString()).toBe(contractAddress(0, first).toRawString());
    },
  );

  it('is of a code that has the methods of its kind', () => {
    const methods = ['get_wallet_data', 'get_jetton_data', 'get_collection_data', 'get_nft_data'].map(
      methodId,
    );
    const known = [...codes].filter(([hash, code]) => isKnownLayout(hash) && !code.isExotic);
    expect(known.length).toBeGreaterThan(12);
    for (const [hash, code] of known) {
      const boc = parseBoc(code.toBoc());
      const ids = readMethodIds(boc, onlyRoot(boc));
      expect([hash, methods.filter((id) => ids.includes(id)).length]).toEqual([hash, 1]);
    }
  });

  it('reads the USDT wallets of mainnet among the shared accounts as their get method does', () => {
    const facts = JSON.parse(readFileSync(`${data}/accounts/facts.json`, 'utf8')) as Record<
      string,
      { kind: string; address: string; code_hash?: string }
    >;
    const wallets = Object.entries(facts).filter(([, { code_hash: hash }]) => hash?.startsWith('89468f02'));
    expect(wallets.length).toBeGreaterThan(1);
    for (const [file, { kind, address: raw }] of wallets) {
      const root = Cell.fromBoc(readFileSync(`${data}/accounts/${file}.boc`))[0]!;
      // account$1
      const slice = (kind === 'account' ? root : root.refs[0]!).beginParse().skip(1);
      const { state } = loadAccount(slice).storage;
      if (state.type !== 'active') throw new Error(`${raw} is ${state.type}`);
      const { code, data: stored } = state.state;
      const wallet = { code: code!, data: stored!, address: Address.parseRaw(raw), libraries };
      const [balance, owner, master] = askContract(wallet, 'get_wallet_data');
      const found = read(wallet);
      expect(found.amount).toBe(intIn(balance));
      same(found.owner, addressIn(owner));
      same(found.parent, addressIn(master));
    }
  });
});
