import { CellError } from '../boc/cell-error.ts';
import { PRUNED } from '../boc/cell-type.ts';
import { withLibraryCells } from './codes/library-code.ts';
import type { ContractCells, TokenState } from './token-state.ts';
import { governedMaster, readJettonMaster, readLocalJettonMaster } from './tokens/jetton-master.ts';
import { readGovernedWallet, readJettonWallet, readShardedWallet } from './tokens/jetton-wallet.ts';
import {
  readNamesCollection,
  readNftCollection,
  readOwnedNamesCollection,
  readPlainCollection,
  readTelemintCollection,
} from './tokens/nft-collection.ts';
import { readNameItem, readNftItem, readPlainNameItem } from './tokens/nft-item.ts';

type ReadLayout = (cells: ContractCells) => TokenState | null;

/**
 * Codes by hash (lower-case hex) whose data is read from cells, without the TVM. A code is listed only if its get
 * method returned the same for such data (test/unit/ton/contracts/known-layouts.test.ts runs them).
 */
const LAYOUTS: Readonly<Record<string, ReadLayout>> = {
  // Jetton wallets of TEP-74's reference implementation.
  beb0683ebeb8927fe9fc8ec0a18bc7dd17899689825a121eab46c5a3a860d0ce: readJettonWallet,
  '4adf48135cb575adbaed476799c87ff2904269b1f949ada4d0479e9104b6f217': readJettonWallet,
  // Wallets of governed jettons; USDT's hold the first by its library cell.
  '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68': readGovernedWallet,
  ba2918c8947e9b25af9ac1b883357754173e5812f807a3d6e642a14709595395: readGovernedWallet,
  '346250c205f56acfb6afa6fe7b76550805d256c6d8e47dd4f94ff672b47d19d3': readShardedWallet,
  '9a0f98dd6fbf225eef8165e4e64417ee931f7eea000653439e7b5dcdc0644cd6': readJettonMaster,
  f95ba0330b38cdf3459b1e811e5fc6fa6cfee566d7b764455c0468140365a737: readJettonMaster,
  '18d5b6e780ff0bb451254c2c760d09d6e485638cd1407abb97078752c3c1c9ee': governedMaster('6'),
  '6eb01cd370f25445b7c9b598928e444009c31737334835a956b90bdd92228895': governedMaster('9'),
  f83d05490af7c9cc58019488c7b253c9492d49c25d12d09383e52e81537e343a: governedMaster('9'),
  '64bb2d4661b5f2dc1a83bf5cbbe09e92ac0b460a1b879a5519386fca4c348bca': readNftCollection,
  '8e5aab17e2e503bec75c2f453b9dacf11a98bbb2cc202994710952a7271c7780': readNftCollection,
  '4c9123828682fa6f43797ab41732bca890cae01766e0674100250516e0bf8d42': readNftItem,
  '9892766765d3ea42809a417abbd7ff9ce681b145d05ae6b118a614b38c8ded15': readNftItem,
  '2ffbf52beaf816157bfc9726dc2548327fa87ebfd2696eed27a9c2cda25c9edc': readNftItem,
  // Names of the .ton zone.
  eec5bbc25065628799468860d8fd48031585f649c32fa382c888ba48831625a3: readNamesCollection,
  c45a70715e226a2aafa76c7781f3ced852aa044a3eb52b9097341761846a4125: readNamesCollection,
  '8b5ffc9ebfd39064d8d5f56e4659c826bb7593923f5ca48728be4d60af6f51f9': readNameItem,
  '3f0ab9253170c86aaeebfeabb2de0bc2d35b4c854a98ea37dc2cdffde8f4e811': readNameItem,
  // Usernames of Telegram: the items are in contract-layouts.ts, since a change leaves out cells that name them.
  '4d4eb9bfa2b210d890833a712be244081fddadb07f031f361ea5cf7f1a130651': readTelemintCollection,
  // Gifts of Telegram: their items' code is a library cell, which detection runs.
  '88410c220f822181668269ce83eb9cc0d3b39c21999c8b55de03360a20e7c282': readTelemintCollection,
  // Contracts of the local chain (src/localnet/contracts).
  '60f443e891d7681165f19da1dd44e00d445b0f83573169f4c31b2b1bbfa68135': readLocalJettonMaster,
  // The minter of a liquid staking pool's tokens.
  '44f4e714e41696c7a1f661907a34f87b7f4174e7faf4329d00b2f6c93dd40c45': readLocalJettonMaster,
  // Of chains that older releases began.
  '8c72764a9f2cd713e9d39a4e3fa3a8d7e87d8d94b786ead32dcf749d8cc31ca7': readLocalJettonMaster,
  '73c3c99098b92a84638c4a1e8e1720330ab4c565db14930832db08411a0493b4': readJettonWallet,
  d83210760adc9abcd94161aa1965d0387527d6a032748a643f2ec0015d883d8a: readPlainCollection,
  abd48a072c6e1c2d88f10b6ad4be6570fe54f20e9f6871484c4a55a755b4d7b6: readNftItem,
  cdda9e6e535e7fe3614ebbdeca6e8832686d7b4b07bd63007fe0968a282692ef: readOwnedNamesCollection,
  '111ab24434d5e6286f3e59d027afd93cd826ed8daeaeb7d18ac6c0fd6ca9359e': readPlainNameItem,
  '1727c2f6cf6d4a33a51ec5251950019802411d2aabc0fd961266eb0d8f997604': readTelemintCollection,
};

const BY_CODE = withLibraryCells(LAYOUTS, 'hex');

/** Whether data under this code, or its library cell (hash in lower-case hex), can be read without the TVM. */
export function isKnownLayout(codeHash: string): boolean {
  return BY_CODE.has(codeHash);
}

/** Result of reading an account's data: `hidden` where its data cell is pruned away. */
export type ReadToken = TokenState | 'hidden' | null;

/**
 * Reads a token contract by its code hash (lower-case hex). Returns null if the code is not a known token code, the
 * data has another form, or the data names another address.
 */
export function readToken(codeHash: string, cells: ContractCells): ReadToken {
  const read = BY_CODE.get(codeHash);
  if (!read || cells.data < 0) return null;
  if (cells.boc.type[cells.data] === PRUNED) return 'hidden';
  try {
    return read(cells);
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}
