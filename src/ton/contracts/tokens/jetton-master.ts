import { CellSlice } from '../../boc/cell-slice.ts';
import { PRUNED } from '../../boc/cell-type.ts';
import { readSnake } from '../../tlb/snake-text.ts';
import { getReference } from '../contract-address.ts';
import { standardOrNone } from '../read-fields.ts';
import type { ContentFact, ContractCells, TokenState } from '../token-state.ts';
import { readContentCell, readText, type TokenContent } from './token-content.ts';

/**
 * Jetton master of TEP-74 as its reference implementation stores it.
 *
 *     _ total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell = MasterData;
 */
export function readJettonMaster(cells: ContractCells): TokenState | null {
  return readMaster(cells, new CellSlice(cells.boc, cells.data));
}

/** The same for the local chain (src/localnet/contracts), whose code refuses trailing data. */
export function readLocalJettonMaster(cells: ContractCells): TokenState | null {
  const slice = new CellSlice(cells.boc, cells.data);
  const found = readMaster(cells, slice);
  slice.end('MasterData');
  return found;
}

function readMaster(cells: ContractCells, slice: CellSlice): TokenState | null {
  const supply = slice.coins();
  const admin = standardOrNone(slice);
  const content = contentFact(cells, slice.ref());
  const code = getReference(cells, slice.ref()).hash;
  return content && master(supply, admin, content, code);
}

/**
 * Reader of the master of a governed jetton (the stablecoin contracts), whose content is a bare link; `decimals` is what
 * its code adds to it.
 *
 *     _ total_supply:Coins admin:MsgAddress next_admin:MsgAddress wallet_code:^Cell uri:^Cell = GovernedMasterData;
 */
export const governedMaster =
  (decimals: string) =>
  (cells: ContractCells): TokenState | null => {
    const slice = new CellSlice(cells.boc, cells.data);
    const supply = slice.coins();
    const admin = standardOrNone(slice);
    standardOrNone(slice);
    const code = getReference(cells, slice.ref()).hash;
    const uri = slice.ref();
    // Its get method refuses trailing data.
    slice.end('GovernedMasterData');
    const { hash } = getReference(cells, uri);
    if (isHidden(cells, uri)) return master(supply, admin, { hash, json: null }, code);
    const text = readText(readSnake(cells.boc, uri, 0));
    const json = JSON.stringify({ ...(text === null ? {} : { uri: text }), decimals });
    return master(supply, admin, { hash, json }, code);
  };

/** Reads a FullContent cell; null if it is unreadable, and its contract is then not a token. */
export function contentFact(cells: Pick<ContractCells, 'boc' | 'hashes'>, cell: number): ContentFact | null {
  const { hash } = getReference(cells, cell);
  if (isHidden(cells, cell)) return { hash, json: null };
  const content = readContentCell(cells.boc, cell);
  return content && { hash, json: JSON.stringify(getAttributes(content)) };
}

/** Whether a part of it was left out of the bag. */
export function isHidden({ boc }: Pick<ContractCells, 'boc'>, cell: number): boolean {
  return boc.type[cell] === PRUNED || boc.complete[cell] !== 1;
}

function getAttributes(content: TokenContent): Readonly<Record<string, string>> {
  return content.type === 'offchain' ? { uri: content.data } : content.data;
}

function master(
  supply: bigint,
  admin: TokenState['owner'],
  content: ContentFact,
  childCode: Uint8Array,
): TokenState {
  return {
    kind: 'jetton_master',
    amount: supply,
    flag: true,
    owner: admin,
    parent: null,
    childCode,
    content,
    link: '',
  };
}
