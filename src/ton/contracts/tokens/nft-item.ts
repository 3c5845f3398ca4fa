import { CellSlice } from '../../boc/cell-slice.ts';
import type { HashAndDepth } from '../../boc/virtual-cell.ts';
import { CellBuilder } from '../../cell/cell-builder.ts';
import { sameBytes } from '../../decode/same-bytes.ts';
import { type AccountAddress, storeAddress } from '../../store/store-address.ts';
import { readSnake } from '../../tlb/snake-text.ts';
import { contractAddress, getReference } from '../contract-address.ts';
import { standard, standardOrNone } from '../read-fields.ts';
import type { ContractCells, TokenState } from '../token-state.ts';
import { isHidden } from './jetton-master.ts';
import { readContentCell, readText } from './token-content.ts';

/**
 * NFT item of TEP-62 as its reference implementation stores it. Before the collection's message it has only the first
 * two fields. Editable and soul-bound items have more data after the content.
 *
 *     _ index:uint64 collection:MsgAddress owner:MsgAddress content:^Cell = ItemData;
 *
 * @returns null if its address is not the one that its collection computes
 */
export function readNftItem(cells: ContractCells): TokenState | null {
  return readItem(cells, 64);
}

/**
 * Item that is a name (TEP-81): its index is the hash of the name.
 *
 *     _ index:uint256 collection:MsgAddress owner:MsgAddress content:^Cell … = NameData;
 */
export function readNameItem(cells: ContractCells): TokenState | null {
  return readItem(cells, 256);
}

/**
 * Name of the local chain (src/localnet/contracts/dns-item.tolk): the label comes before the content.
 *
 *     _ index:uint256 collection:MsgAddress owner:MsgAddress label:^Cell content:^Cell … = NameStorage;
 */
export function readPlainNameItem(cells: ContractCells): TokenState | null {
  return readItem(cells, 256, 1);
}

/** `refsBefore`: references before the content. */
function readItem(cells: ContractCells, indexBits: number, refsBefore = 0): TokenState | null {
  const slice = new CellSlice(cells.boc, cells.data);
  const index = slice.bigUint(indexBits);
  const collection = standard(slice);
  const code = getReference(cells, cells.code);
  if (!isOwnItem(cells.account, code, new CellBuilder().bigUint(index, indexBits), collection)) return null;
  const isInit = slice.bitsLeft > 0;
  const owner = isInit ? standardOrNone(slice) : null;
  if (isInit) slice.skipRefs(refsBefore);
  return {
    kind: 'nft_item',
    amount: index,
    flag: isInit,
    owner,
    parent: collection,
    childCode: code.hash,
    ...(isInit ? individualContent(cells, slice.ref()) : { content: null, link: '' }),
  };
}

/** True if the item's address is the one that its collection computes. `index`: as in its first data. */
export function isOwnItem(
  account: AccountAddress,
  code: HashAndDepth,
  index: CellBuilder,
  collection: AccountAddress,
): boolean {
  return sameBytes(contractAddress(code, index.with(storeAddress, collection), []), account.address);
}

/**
 * Returns the item's own content if it has any. The collection decides whether the bytes are the end of a link instead.
 */
export function individualContent(
  cells: Pick<ContractCells, 'boc' | 'hashes'>,
  cell: number,
): Pick<TokenState, 'content' | 'link'> {
  const { hash } = getReference(cells, cell);
  if (isHidden(cells, cell)) return { content: { hash, json: null }, link: '' };
  const content = readContentCell(cells.boc, cell);
  const attributes = content?.type === 'offchain' ? { uri: content.data } : (content?.data ?? {});
  const link = readText(readSnake(cells.boc, cell, 0)) ?? '';
  return { content: { hash, json: JSON.stringify(attributes) }, link };
}
