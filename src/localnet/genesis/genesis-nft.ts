import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import { NFT_COLLECTION_CODE } from '../contracts/codes/nft-collection-code.ts';
import { NFT_ITEM_CODE } from '../contracts/codes/nft-item-code.ts';
import type { GenesisContract, NewContract } from './genesis-account.ts';
import { type Attributes, tokenContent } from './token-content.ts';

export interface GenesisNfts {
  readonly collection: GenesisContract;
  /** By index. */
  readonly items: readonly GenesisContract[];
}

const TON = 1_000_000_000n;
const CONTENT = { name: 'Localnet Postcards', description: 'NFTs of the local chain.' };
/** Five in a hundred of each price. */
export const ROYALTY = { numerator: 5, denominator: 100 };

/** A collection with an item for each of `itemOwners`; its owner may mint more. */
export function genesisNfts(owner: AccountAddress, itemOwners: readonly AccountAddress[]): GenesisNfts {
  // As if it had been deployed empty, so that its address follows from its code.
  const { address, code } = newCollection(owner, CONTENT);
  const data = collectionData(owner, CONTENT, itemOwners.length);
  return {
    collection: { address, code, data, balance: TON },
    items: itemOwners.map((itemOwner, index) => nftItem(address, index, itemOwner)),
  };
}

/** A collection without items, which is not deployed yet. */
export function newCollection(owner: AccountAddress, content: Attributes): NewContract {
  const code = readCell(fromBase64(NFT_COLLECTION_CODE)!);
  const data = collectionData(owner, content, 0);
  return { address: { workchain: 0, address: stateInitHash(code, data) }, code, data };
}

function collectionData(owner: AccountAddress, content: Attributes, nextIndex: number): Cell {
  const royalty = new CellBuilder().uint(ROYALTY.numerator, 16).uint(ROYALTY.denominator, 16);
  return new CellBuilder()
    .with(storeAddress, owner)
    .u64(BigInt(nextIndex))
    .ref(tokenContent(content))
    .ref(readCell(fromBase64(NFT_ITEM_CODE)!))
    .ref(royalty.with(storeAddress, owner).cell())
    .cell();
}

function nftItem(collection: AccountAddress, index: number, owner: AccountAddress): GenesisContract {
  const code = readCell(fromBase64(NFT_ITEM_CODE)!);
  const before = () => new CellBuilder().u64(BigInt(index)).with(storeAddress, collection);
  const address = { workchain: 0, address: stateInitHash(code, before().cell()) };
  const content = tokenContent({ name: `Postcard ${index + 1}`, description: 'A greeting from localnet.' });
  return {
    address,
    code,
    data: before().with(storeAddress, owner).ref(content).cell(),
    balance: TON / 20n,
  };
}
