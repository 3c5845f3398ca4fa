import { onlyRoot, parseBoc } from '../boc/boc.ts';
import { CellError } from '../boc/cell-error.ts';
import { CellHashes } from '../boc/cell-hashes.ts';
import type { HashAndDepth } from '../boc/virtual-cell.ts';
import { toHex } from '../hash/hex.ts';
import type { AccountAddress } from '../store/store-address.ts';
import { withLibraryCells } from './codes/library-code.ts';
import type { ContractState, ReadContract } from './contract-state.ts';
import { orderReader, readLocalMultisig, readMultisig } from './custody/multisig.ts';
import { readNominatorPool } from './custody/nominator-pool.ts';
import { readLocalVesting, readVesting } from './custody/vesting.ts';
import { readDnsItem, readPlainDnsItem } from './names/dns-item.ts';
import { readTeleItem } from './names/tele-item.ts';
import { readAuction, readAuctionV1, readAuctionV4 } from './tokens/nft-auction.ts';
import { readSale, readSaleV4 } from './tokens/nft-sale.ts';

/**
 * Codes by hash (lower-case hex) whose data is read from cells. A code is listed only if its get methods returned the
 * same for such data (test/unit/ton/contracts/contract-layouts.test.ts runs them if the code is available).
 */
const LAYOUTS: Readonly<Record<string, ReadContract>> = {
  // Fixed-price sales v2, v3, v3r2, v3r3 and v4.
  '8278f4c5233de6fbedc969af519344a7a9bffc544856dba986a95c0bcf8571c9': readSale,
  '32050dfac44f64866bcc86f2cd9e1305fe9dcadb3959c002237cfb0902d44323': readSale,
  deb53b6c5765c1e6cd238bf47bc5e83ba596bdcc04b0b84cd50ab1e474a08f31: readSale,
  '24221fa571e542e055c77bedfdbf527c7af460cfdc7f344c450787b4cfa1eb4d': readSale,
  '6b95a6418b9c9d2359045d1e7559b8d549ae0e506f24caab58fa30c8fb1feb86': readSaleV4,
  // Auctions v1, v2, v3r2 and v4.
  fc00a29dd0205bcdcc0d3ffb9ca38cc3c8c159ec60d8aa543240a92f10592d40: readAuctionV1,
  '6668872fa79705443ffd47523e8e9ea9f76ab99f9a0b59d27de8f81a1c27b9d4': readAuction,
  '1bd9c5a39bffb7a0f341588b5dd92b813a842bf65ef14109382200ceaf8f72df': readAuction,
  ce5a78534eaaa6ceed8dafd486d076eb60a9b0d6dbfb53676f662649c0689956: readAuctionV4,
  // Usernames of Telegram.
  a7a2616a4d639a076c2f67e7cce0423fd2a1c2ee550ad651c1eda16ee13bcaca: readTeleItem,
  // Names of the .ton zone and of the local chain (src/localnet/contracts).
  '8b5ffc9ebfd39064d8d5f56e4659c826bb7593923f5ca48728be4d60af6f51f9': readDnsItem,
  '3f0ab9253170c86aaeebfeabb2de0bc2d35b4c854a98ea37dc2cdffde8f4e811': readDnsItem,
  '111ab24434d5e6286f3e59d027afd93cd826ed8daeaeb7d18ac6c0fd6ca9359e': readPlainDnsItem,
  // Multisig v2 and its orders, which it deploys under a library cell.
  d3d14da9a627f0ec3533341829762af92b9540b21bf03665fac09c2b46eabbac: readMultisig,
  '6305a8061c856c2ccf05dcb0df5815c71475870567cab5f049e340bcf59251f3': orderReader(false),
  b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590: readVesting,
  '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf': readNominatorPool,
  // Sales, auctions, usernames, multisigs and vesting wallets of the local chain.
  '1ec4f392b567722b56031bab93846c5a0ed72244e414e678426259e9d9b45968': readSaleV4,
  '8268d9f044010f9f5e6ab2b02d13b054bd817cf08a2e30003d953e02bde214db': readAuctionV4,
  '21b319b961ddbb5732780abe8590f28779f85fc2a73b3dbec3018c4ba7e74b5d': readTeleItem,
  d752336eeac1316414951c7a357c54b1b665f8cc9aae55d7be7fa0e0216f8197: readLocalMultisig,
  '70eb2358b4f09296a2f5e5d85c18d037f16bd6a3e9653a015101d1e4a2bb68be': orderReader(true),
  '0415b4df1f1c005732e6929461ec096b4f7f8f4655795f803a248aba02d997cb': readLocalVesting,
};

const BY_CODE = withLibraryCells(LAYOUTS, 'hex');

/** Whether data under this code, or its library cell (hash in lower-case hex), is kept. */
export function isContractLayout(codeHash: string): boolean {
  return BY_CODE.has(codeHash);
}

/** An account by the bag of its whole data cell. */
export interface ContractData {
  readonly account: AccountAddress;
  /** The account's address may follow from it. */
  readonly code: HashAndDepth;
  /** A bag of cells. */
  readonly data: Uint8Array;
}

/** Reads a contract from its data. Returns null if the code is unknown or its data has another form. */
export function readContract({ account, code, data }: ContractData): ContractState | null {
  const read = BY_CODE.get(toHex(code.hash));
  if (!read) return null;
  try {
    const boc = parseBoc(data);
    return read({ boc, hashes: new CellHashes(boc), account, code, data: onlyRoot(boc) });
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}
