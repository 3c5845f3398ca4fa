import { CellSlice } from '../../boc/cell-slice.ts';
import { readSnake } from '../../tlb/snake-text.ts';
import { getReference } from '../contract-address.ts';
import { standardOrNone } from '../read-fields.ts';
import type { ContentFact, ContractCells, TokenState } from '../token-state.ts';
import { contentFact, isHidden } from './jetton-master.ts';
import { readText } from './token-content.ts';

/** `get_collection_data` of collections whose items have no order. */
const NO_NEXT_INDEX = -1n;

/**
 * NFT collection of TEP-62 as its reference implementation stores it: links of items begin with `common`.
 *
 *     content#_ collection:^Cell common:^Cell = CollectionContent;
 *     _ owner:MsgAddress next_item_index:uint64 content:^CollectionContent item_code:^Cell royalty:^Cell = CollectionData;
 */
export function readNftCollection(cells: ContractCells): TokenState | null {
  const { boc, data } = cells;
  const slice = new CellSlice(boc, data);
  const owner = standardOrNone(slice);
  const nextIndex = slice.u64();
  const both = slice.ref();
  const code = getReference(cells, slice.ref()).hash;
  const hidden = { owner, nextIndex, code, link: '', flag: true };
  if (isHidden(cells, both))
    return collection({ ...hidden, content: { hash: getReference(cells, both).hash, json: null } });
  const parts = new CellSlice(boc, both);
  const own = contentFact(cells, parts.ref());
  const link = readText(readSnake(boc, parts.ref(), 0)) ?? '';
  // Both change together: the cell above them shows whether either changed.
  return own && collection({ ...hidden, link, content: { ...own, hash: getReference(cells, both).hash } });
}

/**
 * Collection whose items have the whole of their content, as of the local chain.
 *
 *     _ owner:MsgAddress next_item_index:uint64 content:^Cell item_code:^Cell royalty:^Cell = CollectionData;
 */
export function readPlainCollection(cells: ContractCells): TokenState | null {
  const slice = new CellSlice(cells.boc, cells.data);
  const owner = standardOrNone(slice);
  const nextIndex = slice.u64();
  const content = contentFact(cells, slice.ref());
  const code = getReference(cells, slice.ref()).hash;
  slice.skipRefs(1);
  slice.end('CollectionData');
  return content && collection({ owner, nextIndex, code, content, link: '', flag: false });
}

/**
 * Collection of names (TEP-81): it has no owner, and an item's index is the hash of its name.
 *
 *     _ content:^Cell item_code:^Cell = NamesData;
 */
export function readNamesCollection(cells: ContractCells): TokenState | null {
  const slice = new CellSlice(cells.boc, cells.data);
  const content = contentFact(cells, slice.ref());
  const code = getReference(cells, slice.ref()).hash;
  return (
    content && collection({ owner: null, nextIndex: NO_NEXT_INDEX, code, content, link: '', flag: false })
  );
}

/**
 * Collection of names of the local chain (src/localnet/contracts/dns-collection.tolk).
 *
 *     _ owner:MsgAddress content:^Cell item_code:^Cell = CollectionStorage;
 */
export function readOwnedNamesCollection(cells: ContractCells): TokenState | null {
  const slice = new CellSlice(cells.boc, cells.data);
  const owner = standardOrNone(slice);
  const content = contentFact(cells, slice.ref());
  const code = getReference(cells, slice.ref()).hash;
  slice.end('CollectionStorage');
  return content && collection({ owner, nextIndex: NO_NEXT_INDEX, code, content, link: '', flag: false });
}

/**
 * Collection of Telegram usernames (TelegramMessenger/telemint): it has no owner.
 *
 *     telemint_data$_ touched:Bool subwallet_id:uint32 public_key:bits256 collection_content:^Cell nft_item_code:^Cell
 *       full_domain:^TelemintText royalty_params:^NftRoyaltyParams = TelemintData;
 */
export function readTelemintCollection(cells: ContractCells): TokenState | null {
  const slice = new CellSlice(cells.boc, cells.data);
  slice.skipBits(1 + 32 + 256);
  const content = contentFact(cells, slice.ref());
  const code = getReference(cells, slice.ref()).hash;
  slice.skipRefs(2);
  slice.end('TelemintData');
  return (
    content && collection({ owner: null, nextIndex: NO_NEXT_INDEX, code, content, link: '', flag: false })
  );
}

interface CollectionFields {
  readonly owner: TokenState['owner'];
  readonly nextIndex: bigint;
  readonly code: Uint8Array;
  readonly content: ContentFact;
  readonly link: string;
  /** Links of items begin with `link`. */
  readonly flag: boolean;
}

function collection({ owner, nextIndex, code, content, link, flag }: CollectionFields): TokenState {
  return {
    kind: 'nft_collection',
    amount: nextIndex,
    flag,
    owner,
    parent: null,
    childCode: code,
    content,
    link,
  };
}
